/** Edits of senders, and what senders may ask about their alerts. */
import {
  newUuid,
  publicId,
  senderAlertRequest,
  senderAlertsRequest,
  senderEventRequest,
  type Alert,
  type SenderAlertsQuery,
  type SenderRequest,
  type ServiceRequest,
} from '@ams/contracts';
import { RpcClient } from '@ams/messaging';
import { insertMember } from '@ams/testing';
import { eventOf, resolveOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;
beforeAll(async () => {
  pipeline = await startPipeline();
});
afterAll(() => pipeline?.stop());

const ask = <Request extends SenderRequest, Reply>(
  { organizationId, environment, integrationId }: Sender,
  request: ServiceRequest<Request, Reply>,
  asked: Omit<Request, keyof SenderRequest>,
): Promise<Reply> =>
  new RpcClient(pipeline.nats).request(
    request,
    { ...asked, organizationId, environment, integrationId } as unknown as Request,
    { timeoutMs: 10_000, requestId: 'r' },
  );

const found = async (sender: Sender, key: { id: string } | { fingerprint: string }): Promise<Alert | null> =>
  (await ask(sender, senderAlertRequest, { key })).alert;

describe('edits', () => {
  test('change the open alert, each with an entry in its timeline, and count no occurrence', async () => {
    const sender = await pipeline.newSender();
    const edit = (values: object) =>
      eventOf(sender, { title: 'ignored', severity: null, opensNone: true, edit: values });
    await pipeline.send(
      eventOf(sender, { labels: { tags: 'a' } }),
      edit({ note: 'kim: looks bad' }),
      edit({ addTags: ['b'], setLabels: { env: 'prod' }, note: 'tagged' }),
      edit({ removeTags: ['a'] }),
      edit({ removeTags: ['a'] }),
      edit({ severity: 'critical', title: 'Higher CPU' }),
    );
    const alert = await pipeline.alertOf(sender);
    expect(alert).toMatchObject({ title: 'Higher CPU', severity: 4, occurrence_count: 1, status: 'firing' });
    expect((await found(sender, { fingerprint: 'cpu' }))?.labels).toEqual({ tags: 'b', env: 'prod' });
    expect((await pipeline.timelineOf(alert.id)).map(({ type, note }) => [type, note])).toEqual([
      ['alert.created', null],
      ['alert.noted', 'kim: looks bad'],
      ['alert.labelsChanged', 'tagged'],
      ['alert.labelsChanged', null],
      ['alert.severityChanged', null],
    ]);
    await pipeline.expectWholeTimeline(sender);
    await pipeline.expectCorrectCounts(sender);
  });

  test('without an open alert have no effect', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender, { opensNone: true, edit: { note: 'n' } }));
    expect(await pipeline.alertsOf(sender)).toEqual([]);
  });

  test('assign an alert to an active member of the organization only, by the address', async () => {
    const [sender, stranger] = [await pipeline.newSender(), await pipeline.newSender()];
    const email = `kim-${newUuid()}@example.com`;
    const other = `lee-${newUuid()}@example.com`;
    const disabled = `jo-${newUuid()}@example.com`;
    const member = await insertMember(pipeline.admin, sender, { email });
    await insertMember(pipeline.admin, stranger, { email: other });
    await insertMember(pipeline.admin, sender, { email: disabled, status: 'disabled' });
    const assign = (assignee: string) => eventOf(sender, { opensNone: true, edit: { assignee } });
    await pipeline.send(eventOf(sender), assign(other), assign(disabled), assign(email.toUpperCase()), assign(email));
    const alert = await found(sender, { fingerprint: 'cpu' });
    expect(alert?.assigneeId).toBe(publicId('member', member));
    const entries = await pipeline.timelineOf((await pipeline.alertOf(sender)).id);
    expect(entries.map(({ type }) => type)).toEqual(['alert.created', 'alert.assigned']);
    await pipeline.expectWholeTimeline(sender);
  });

  test('that name one alert do not reach a later alert with its fingerprint', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender));
    const { id: alertId } = await pipeline.alertOf(sender);
    await pipeline.send(
      resolveOf(sender),
      eventOf(sender),
      resolveOf(sender, { alertId }),
      eventOf(sender, { alertId, opensNone: true, edit: { note: 'late' } }),
    );
    const later = await pipeline.alertOf(sender);
    expect(later).toMatchObject({ status: 'firing', version: 1 });
    await pipeline.send(resolveOf(sender, { alertId: later.id }));
    expect(await pipeline.alertOf(sender)).toMatchObject({ id: later.id, status: 'resolved' });
  });
});

test('a change event is a note for the open alerts of its integration, in the order of the events', async () => {
  const sender = await pipeline.newSender();
  const others = { ...sender, integrationId: newUuid() };
  const change = eventOf(sender, {
    fingerprint: 'change:1',
    opensNone: true,
    edit: { note: 'Change: deploy', toAllOpen: true },
  });
  await pipeline.send(
    eventOf(sender, { fingerprint: 'a' }),
    eventOf(sender, { fingerprint: 'b' }),
    eventOf(sender, { fingerprint: 'closed' }),
    resolveOf(sender, { fingerprint: 'closed' }),
    eventOf(others, { fingerprint: 'c' }),
  );
  await pipeline.send(change);
  const typesOf = async (fingerprint: string) =>
    (await pipeline.timelineOf((await pipeline.alertOf(sender, fingerprint)).id)).map(({ type, note }) => note ?? type);
  expect(await typesOf('a')).toEqual(['alert.created', 'Change: deploy']);
  expect(await typesOf('b')).toEqual(['alert.created', 'Change: deploy']);
  expect(await typesOf('closed')).toEqual(['alert.created', 'alert.resolved']);
  expect(await typesOf('c')).toEqual(['alert.created']);
  expect((await ask(sender, senderEventRequest, { eventId: change.id })).result).toMatchObject({ outcome: 'noted' });
  await pipeline.expectWholeTimeline(sender);
});

describe('what a sender may ask', () => {
  test('an alert by its id or its fingerprint, and the result of an event', async () => {
    const sender = await pipeline.newSender();
    const opening = eventOf(sender);
    const noMatch = resolveOf(sender, { fingerprint: 'other' });
    await pipeline.send(opening, noMatch);
    const alert = await found(sender, { fingerprint: 'cpu' });
    expect(alert).toMatchObject({ title: 'High CPU', status: 'firing' });
    expect(await found(sender, { id: alert!.id })).toEqual(alert);
    const result = async (eventId: string) => (await ask(sender, senderEventRequest, { eventId })).result;
    expect(await result(opening.id)).toEqual({ outcome: 'opened', appliedTo: alert });
    expect(await result(noMatch.id)).toEqual({ outcome: 'noMatch', appliedTo: null });
    expect(await result(newUuid())).toBeNull();

    await pipeline.send(resolveOf(sender));
    expect(await found(sender, { fingerprint: 'cpu' })).toBeNull();
    expect(await found(sender, { id: alert!.id })).toMatchObject({ status: 'resolved' });
    expect(await found(sender, { id: 'alr_x' })).toBeNull();
  });

  test('a list with its count, by state and in an order', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(...['a', 'b', 'c', 'd'].map((fingerprint) => eventOf(sender, { fingerprint })));
    await pipeline.send(
      resolveOf(sender, { fingerprint: 'b' }),
      eventOf(sender, { fingerprint: 'c', status: 'acknowledged' }),
    );
    const list = async (query: Partial<SenderAlertsQuery>) => {
      const all = { sort: 'createdAt', descending: false, offset: 0, limit: 20 } as const;
      const { alerts, count } = await ask(sender, senderAlertsRequest, { query: { ...all, ...query } });
      return [
        alerts
          .map(({ fingerprint }) => fingerprint)
          .sort()
          .join(''),
        count,
      ];
    };
    expect(await list({})).toEqual(['abcd', 4]);
    expect(await list({ open: true })).toEqual(['acd', 3]);
    expect(await list({ open: false })).toEqual(['b', 1]);
    expect(await list({ acknowledged: true })).toEqual(['c', 1]);
    expect(await list({ fingerprint: 'd' })).toEqual(['d', 1]);
    const [first, second] = [await list({ limit: 3 }), await list({ limit: 3, offset: 3 })];
    expect([first[1], second[1], `${first[0]}${second[0]}`.split('').sort().join('')]).toEqual([4, 4, 'abcd']);
  });

  test('nothing of another organization, environment or integration', async () => {
    const sender = await pipeline.newSender();
    const opening = eventOf(sender);
    await pipeline.send(opening);
    const alert = await found(sender, { fingerprint: 'cpu' });
    const strangers: Sender[] = [
      { ...sender, organizationId: newUuid() },
      { ...sender, environment: 'test' },
      { ...sender, integrationId: newUuid() },
    ];
    const query = { sort: 'createdAt', descending: true, offset: 0, limit: 20 } as const;
    for (const stranger of strangers) {
      expect(await found(stranger, { fingerprint: 'cpu' })).toBeNull();
      expect(await found(stranger, { id: alert!.id })).toBeNull();
      expect(await ask(stranger, senderAlertsRequest, { query })).toEqual({ alerts: [], count: 0 });
      expect(await ask(stranger, senderEventRequest, { eventId: opening.id })).toEqual({ result: null });
    }
  });
});
