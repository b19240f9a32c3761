import { acknowledgedIncident, minutes, paging, pagingIncident, resolvedIncident } from '../../testing/incidents.js';
import { mended } from './mended.js';

const at = minutes(20);

describe('an incident of which something was lost', () => {
  test('gets back the time of its next step', () => {
    const incident = pagingIncident({ dueAt: null });
    expect(mended(incident, 2, at)).toEqual({ incident: { ...incident, dueAt: minutes(10) }, decision: null });
  });

  test('forgets a time at which nothing is due', () => {
    const incident = resolvedIncident({ dueAt: minutes(3) });
    expect(mended(incident, 0, at)?.incident.dueAt).toBeNull();
  });

  test('goes on where it was when an alert fires and its escalation still pauses', () => {
    const incident = pagingIncident({
      ...paging({ state: 'paused', nextAt: null }, { remainingMs: 60_000 }),
      dueAt: null,
    });
    expect(mended(incident, 1, at)).toMatchObject({
      incident: { dueAt: minutes(21), version: 2, escalation: { state: 'escalating', episode: 1, level: 2 } },
      decision: { type: 'incident.updated' },
    });
  });

  test.each(['stopped', 'waiting', 'escalating'] as const)(
    'begins again when an alert fires and its escalation is %s without a next step',
    (state) => {
      const incident = pagingIncident({ ...paging({ state, nextAt: null }), dueAt: null });
      expect(mended(incident, 1, at)?.incident).toMatchObject({
        dueAt: at,
        escalation: { state: 'escalating', episode: 2, level: 0, nextAt: at },
      });
    },
  );

  test.each([
    ['escalates', pagingIncident(), 2],
    ['is acknowledged', acknowledgedIncident(), 2],
    ['is resolved', resolvedIncident(), 2],
    ['was told to everybody', pagingIncident({ ...paging({ state: 'exhausted', nextAt: null }), dueAt: null }), 2],
    ['pauses while no alert fires', pagingIncident({ ...paging({ state: 'paused', nextAt: null }), dueAt: null }), 0],
  ])('one that %s has lost nothing', (_name, incident, firing) => expect(mended(incident, firing, at)).toBeNull());
});
