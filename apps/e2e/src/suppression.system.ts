import type { Alert, SuppressionWindow, TimelineEntry } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { startSystem, type One, type Organization, type Sender, type System } from './system.js';
import { databaseClock, type DatabaseClock } from './system/database-clock.js';

let system: System;
let acme: Organization;
let sender: Sender;
let clock: DatabaseClock;

beforeAll(async () => {
  system = await startSystem({ replicas: { 'alert-pipeline': 2 } });
  clock = await databaseClock(system, 'alert-pipeline');
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(() => system?.stop());

const alertOf = async (fingerprint: string): Promise<Alert> => (await acme.alerts({ fingerprint }))[0] as Alert;
const becomes = (fingerprint: string, status: string): Promise<void> =>
  eventually(async () =>
    expect({ fingerprint, status: (await alertOf(fingerprint)).status }).toEqual({ fingerprint, status }),
  );
/** Without the changes by the default workflow of every organization. */
const changesOf = (timeline: TimelineEntry[]): string[] =>
  timeline.filter(({ cause }) => cause.type !== 'workflow').map(({ type, cause }) => `${type} (${cause.type})`);

it('a weekly window keeps its local time over a clock change: alerts before, during and after it', async () => {
  // Sundays from 2:30 to 4:30 in Berlin. On 28 March 2027 clocks are set from 2:00 to 3:00, so 2:30 does not exist and
  // the window begins at 3:30 summer time.
  await clock.set('2027-03-20T12:00:00Z');
  const { body, status } = await acme.api.post<One<SuppressionWindow>>('/api/v1/suppression', {
    name: 'Sunday patching',
    matchers: [{ field: 'labels.region', op: 'eq', value: 'eu' }],
    exceptSeverities: ['critical'],
    startsAt: '2027-03-21T01:30:00Z',
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=WEEKLY;BYDAY=SU',
    durationSeconds: 7200,
  });
  expect(status).toBe(201);
  const fire = (fingerprint: string, severity = 'high') =>
    sender.fire({ title: fingerprint, severity, fingerprint, labels: { region: 'eu' } });

  for (const { name, before, within, stillWithin, after } of [
    {
      name: 'winter',
      before: '2027-03-21T01:29:00Z',
      within: '2027-03-21T01:30:01Z',
      stillWithin: '2027-03-21T03:29:30Z',
      after: '2027-03-21T03:30:01Z',
    },
    {
      name: 'change',
      before: '2027-03-28T01:29:00Z',
      within: '2027-03-28T01:30:01Z',
      stillWithin: '2027-03-28T03:29:30Z',
      after: '2027-03-28T03:30:01Z',
    },
    {
      name: 'summer',
      before: '2027-04-04T00:29:00Z',
      within: '2027-04-04T00:30:01Z',
      stillWithin: '2027-04-04T02:29:30Z',
      after: '2027-04-04T02:30:01Z',
    },
  ]) {
    const [early, inside, critical, acknowledged, late] = ['early', 'inside', 'critical', 'acknowledged', 'late'].map(
      (word) => `${name}-${word}`,
    ) as [string, string, string, string, string];
    await clock.set(before);
    await fire(early);
    await fire(acknowledged);
    await acme.api.post(`/api/v1/alerts/${(await alertOf(acknowledged)).id}/acknowledge`);
    expect((await alertOf(early)).status).toBe('firing');

    await clock.set(within);
    await becomes(early, 'suppressed');
    await fire(inside);
    await fire(critical, 'critical');
    expect(await alertOf(inside)).toMatchObject({
      status: 'suppressed',
      suppression: { windowId: body.data.id, priorStatus: 'firing' },
    });
    expect((await alertOf(critical)).status).toBe('firing');
    expect((await alertOf(acknowledged)).status).toBe('acknowledged');

    await clock.set(stillWithin);
    await fire(early);
    expect(await alertOf(early)).toMatchObject({ status: 'suppressed', occurrenceCount: 2 });

    await clock.set(after);
    await becomes(early, 'firing');
    await becomes(inside, 'firing');
    await fire(late);
    expect((await alertOf(late)).status).toBe('firing');

    const timelines = await Promise.all(
      [early, inside, critical, acknowledged, late].map(async (fingerprint) =>
        changesOf(await acme.timeline((await alertOf(fingerprint)).id)),
      ),
    );
    expect(timelines).toEqual([
      ['alert.created (event)', 'alert.suppressed (window)', 'alert.occurred (event)', 'alert.resumed (window)'],
      ['alert.created (event)', 'alert.resumed (window)'],
      ['alert.created (event)'],
      ['alert.created (event)', 'alert.acknowledged (request)'],
      ['alert.created (event)'],
    ]);
    for (const fingerprint of [early, inside, critical, acknowledged, late])
      await sender.fire({ title: 'over', status: 'resolved', fingerprint });
  }
  const window = await acme.api.get<One<SuppressionWindow>>(`/api/v1/suppression/${body.data.id}`);
  expect(window.body.data.suppressedCount).toBe(6);
});
