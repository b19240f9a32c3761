import {
  acknowledgedIncident,
  alertsWith,
  clock,
  context,
  happened,
  incidentWith,
  kim,
  lee,
  minutes,
  paging,
  pagingIncident,
  resolvedIncident,
  sender,
} from '../../testing/incidents.js';
import { alertsJoined, newPaging } from '../paging/escalation.js';
import { decideDue, followAlerts, type AlertsHappened, type AlertsOfIncident } from './incident-alerts.js';
import { decideIncident, type IncidentState } from './incident-state.js';

const follow = (
  incident: IncidentState,
  alerts: AlertsOfIncident,
  what: Partial<AlertsHappened> = {},
  ackTimeoutSeconds: number | null = null,
) => followAlerts(incident, alerts, happened(what), { ...context, ackTimeoutSeconds });

const quiet = { severity: 'low', urgency: 'low' } as const;
const secondEpisode = { state: 'escalating', episode: 2, round: 1, level: 0, nextAt: minutes(5), told: [] } as const;

test('nothing that happened changes nothing', () => {
  const incident = pagingIncident();
  expect(follow(incident, alertsWith())).toEqual({ incident, decision: null, notices: [] });
});

describe('the severity of an incident', () => {
  test('is the highest of its open alerts, and its version is one higher', () => {
    const { decision, notices } = follow(pagingIncident(), alertsWith({ highest: 'critical' }));
    expect(decision).toMatchObject({ type: 'incident.updated', incident: { severity: 'critical', version: 2 } });
    expect(decision?.changes).toEqual([{ field: 'severity', before: 'high', after: 'critical' }]);
    expect(notices).toEqual([{ kind: 'rise', alerts: 0 }]);
  });

  test('that is lower changes the urgency, tells nobody and pages nobody', () => {
    const before = pagingIncident();
    const { incident, notices } = follow(before, alertsWith({ highest: 'low' }));
    expect(incident).toMatchObject({ severity: 'low', urgency: 'low', status: 'triggered' });
    expect(incident.escalation).toEqual(before.escalation);
    expect(notices).toEqual([]);
  });

  test('that is lower leaves an acknowledged incident acknowledged', () => {
    const { incident, notices } = follow(acknowledgedIncident(), alertsWith({ highest: 'low' }));
    expect(incident).toMatchObject({ severity: 'low', status: 'acknowledged', acknowledgedBy: kim });
    expect(notices).toEqual([]);
  });

  test('that a person has set stays, and nobody is told', () => {
    const incident = acknowledgedIncident({ ...quiet, severityBy: 'person' });
    expect(follow(incident, alertsWith({ highest: 'critical' }))).toMatchObject({
      decision: null,
      notices: [],
      incident: { severity: 'low', urgency: 'low', status: 'acknowledged' },
    });
  });

  test('stays when every open alert is suppressed', () => {
    expect(follow(pagingIncident(), alertsWith({ firing: 0, suppressed: 2 })).incident.severity).toBe('high');
  });

  test.each([
    ['triggered', pagingIncident(quiet), alertsWith({ highest: 'high' }), false],
    ['acknowledged', acknowledgedIncident(quiet), alertsWith({ firing: 1, acknowledged: 1, highest: 'high' }), true],
    [
      'acknowledged, as all its alerts are',
      acknowledgedIncident(quiet),
      alertsWith({ firing: 0, acknowledged: 2, highest: 'high' }),
      true,
    ],
    ['snoozed', acknowledgedIncident({ ...quiet, snoozedUntil: minutes(60) }), alertsWith({ highest: 'high' }), false],
  ])(
    'that rises to high urgency begins a new episode of an incident that is %s',
    (_name, before, alerts, alertsFire) => {
      expect(follow(before, alerts)).toMatchObject({
        decision: { type: 'incident.reopened' },
        incident: {
          status: 'triggered',
          urgency: 'high',
          acknowledgedBy: null,
          snoozedUntil: null,
          escalation: secondEpisode,
          dueAt: minutes(5),
        },
        notices: [],
      });
      expect(follow(before, alerts).incident.paging?.refireAt).toBe(alertsFire ? minutes(5) : null);
    },
  );

  test.each([
    ['acknowledged', acknowledgedIncident(quiet), 'medium', alertsWith({ highest: 'medium' })],
    ['acknowledged', acknowledgedIncident(), 'critical', alertsWith({ highest: 'critical' })],
    [
      'acknowledged, as all its alerts are',
      acknowledgedIncident(),
      'critical',
      alertsWith({ firing: 0, acknowledged: 2, highest: 'critical' }),
    ],
    ['triggered, and somebody was told', pagingIncident(), 'critical', alertsWith({ highest: 'critical' })],
  ] as const)('that rises within the urgency is told once: %s', (_name, before, severity, alerts) => {
    const { incident, notices } = follow(before, alerts);
    expect(notices).toEqual([{ kind: 'rise', alerts: 0 }]);
    expect(incident).toMatchObject({ severity, status: before.status, escalation: before.escalation });
    expect(follow(incident, alerts).notices).toEqual([]);
  });

  test('that rises before anybody was told is in the page itself', () => {
    const before = pagingIncident(paging({ level: 0, nextAt: minutes(5), told: [] }));
    expect(follow(before, alertsWith({ highest: 'critical' })).notices).toEqual([]);
  });

  test('triggers no incident that pages nobody', () => {
    const incident = incidentWith({ ...quiet, status: 'acknowledged', acknowledgedBy: kim });
    expect(follow(incident, alertsWith())).toMatchObject({
      notices: [],
      incident: { status: 'acknowledged', severity: 'high', urgency: 'high' },
    });
  });

  test('of an incident that pages nobody is told to nobody', () => {
    expect(follow(incidentWith(), alertsWith({ highest: 'critical' }))).toMatchObject({
      notices: [],
      incident: { severity: 'critical', dueAt: null },
    });
  });

  test('is what rises: settings that changed since trigger nothing', () => {
    expect(follow(acknowledgedIncident({ severity: 'high', urgency: 'low' }), alertsWith())).toMatchObject({
      incident: { urgency: 'high', status: 'acknowledged' },
    });
  });
});

describe('an incident whose open alerts are all acknowledged', () => {
  const byLee = { at: minutes(4), by: lee };
  const all = alertsWith({ firing: 0, acknowledged: 2, lastAcknowledged: byLee });

  test('is acknowledged by whoever acknowledged last, and no level is due', () => {
    expect(follow(pagingIncident(), all)).toMatchObject({
      decision: { type: 'incident.acknowledged' },
      incident: {
        status: 'acknowledged',
        acknowledgedBy: lee,
        acknowledgedAt: minutes(4),
        escalation: { state: 'waiting', nextAt: null },
        dueAt: null,
      },
    });
  });

  test('has the acknowledgement of its policy, from now on', () => {
    expect(follow(pagingIncident(), all, {}, 600).incident.dueAt).toBe(minutes(15));
  });

  test('is acknowledged also when others are suppressed', () => {
    const alerts = alertsWith({ firing: 0, acknowledged: 1, suppressed: 1, lastAcknowledged: byLee });
    expect(follow(pagingIncident(), alerts).incident.status).toBe('acknowledged');
  });

  test('is triggered while one of them fires', () => {
    expect(follow(pagingIncident(), alertsWith({ firing: 1, acknowledged: 1 })).incident.status).toBe('triggered');
  });

  test('becomes acknowledged when the last one that fires resolves', () => {
    expect(
      follow(pagingIncident(), alertsWith({ firing: 0, acknowledged: 1 }), { resolved: 1 }).incident,
    ).toMatchObject({
      status: 'acknowledged',
      acknowledgedBy: lee,
    });
  });
});

describe('an incident that only the sender has acknowledged', () => {
  const bySender = acknowledgedIncident({ acknowledgedBy: sender });

  test('begins a new episode when an alert of it fires again, because no person would be told', () => {
    expect(follow(bySender, alertsWith({ firing: 1, acknowledged: 1 }), { fired: 1 })).toMatchObject({
      decision: { type: 'incident.reopened' },
      incident: { status: 'triggered', escalation: secondEpisode },
      notices: [],
    });
  });

  test('stays acknowledged while nothing fires', () => {
    expect(follow(bySender, alertsWith({ firing: 0, acknowledged: 2 })).incident.status).toBe('acknowledged');
  });
});

describe('an acknowledged incident with an alert whose acknowledgement somebody takes back', () => {
  const alerts = alertsWith({ firing: 1, acknowledged: 1 });

  test.each([
    ['that pages', acknowledgedIncident(), secondEpisode],
    ['that is snoozed', acknowledgedIncident({ snoozedUntil: minutes(60) }), secondEpisode],
  ])(
    '%s is triggered, and its escalation begins again; the other alert stays acknowledged',
    (_name, before, escalation) => {
      const { incident, decision, notices } = follow(before, alerts, { fired: 1, handedBack: true, by: kim });
      expect(decision?.type).toBe('incident.reopened');
      expect(incident).toMatchObject({ status: 'triggered', acknowledgedBy: null, snoozedUntil: null, escalation });
      expect(incident.paging?.refireAt).toBeNull();
      expect(notices).toEqual([]);
    },
  );

  test('is triggered when it pages nobody', () => {
    const before = incidentWith({ status: 'acknowledged', acknowledgedAt: minutes(1), acknowledgedBy: kim });
    expect(follow(before, alerts, { fired: 1, handedBack: true }).incident.status).toBe('triggered');
  });

  test('stays acknowledged when a window hides the alert', () => {
    const hidden = alertsWith({ firing: 0, acknowledged: 1, suppressed: 1 });
    expect(follow(acknowledgedIncident(), hidden, { handedBack: true }).incident.status).toBe('acknowledged');
  });
});

describe('the last open alert', () => {
  const none = alertsWith({ firing: 0 });

  test('resolves its incident', () => {
    expect(follow(pagingIncident(), none, { resolved: 2, by: kim })).toMatchObject({
      decision: { type: 'incident.resolved' },
      incident: {
        status: 'resolved',
        resolvedBy: kim,
        openAlertCount: 0,
        escalation: { state: 'stopped', nextAt: null },
        dueAt: null,
      },
      notices: [],
    });
  });

  test('resolves an acknowledged incident', () => {
    expect(follow(acknowledgedIncident(), none, { resolved: 1 }).incident.status).toBe('resolved');
  });

  test('of an incident that does not resolve by itself pauses the escalation', () => {
    expect(follow(pagingIncident({ autoResolve: false }), none, { resolved: 1 })).toMatchObject({
      decision: { type: 'incident.updated' },
      incident: { status: 'triggered', escalation: { state: 'paused' }, dueAt: null },
    });
  });

  test('is not the one that goes to another incident', () => {
    expect(follow(pagingIncident(), none).incident.status).toBe('triggered');
  });

  test('is not one of two', () => {
    expect(follow(pagingIncident(), alertsWith({ firing: 1 }), { resolved: 1 })).toMatchObject({
      decision: { type: 'incident.updated' },
      incident: { status: 'triggered', openAlertCount: 1, escalation: { state: 'escalating', nextAt: minutes(10) } },
    });
  });
});

describe('a firing in a resolved incident', () => {
  test.each([
    ['of an alert that joins', { joined: 1, fired: 1 }, alertsWith({ firing: 1 }), false],
    ['of an alert that was left open', { fired: 1 }, alertsWith({ firing: 1 }), false],
    ['of an alert that was left acknowledged', { fired: 1 }, alertsWith({ firing: 0, acknowledged: 1 }), true],
    ['beside an alert that was left acknowledged', { fired: 1 }, alertsWith({ firing: 1, acknowledged: 1 }), true],
  ])('%s reopens it and pages again, and all its alerts fire', (_name, what, alerts, alertsFire) => {
    expect(follow(resolvedIncident(), alerts, what)).toMatchObject({
      decision: { type: 'incident.reopened' },
      incident: {
        status: 'triggered',
        resolvedAt: null,
        resolvedBy: null,
        escalation: secondEpisode,
        paging: { refireAt: alertsFire ? minutes(5) : null },
        dueAt: minutes(5),
      },
    });
  });

  test.each([
    ['alerts that were left open', {}, alertsWith({ firing: 2 })],
    ['an alert that is suppressed at once', { joined: 0, fired: 0 }, alertsWith({ firing: 0, suppressed: 1 })],
    ['the resolve of one that was left open', { resolved: 1 }, alertsWith({ firing: 1 })],
  ])('is needed: %s leave it resolved', (_name, what, alerts) => {
    expect(follow(resolvedIncident(), alerts, what).incident).toMatchObject({ status: 'resolved', dueAt: null });
  });
});

describe('an incident whose alerts are all suppressed', () => {
  const all = alertsWith({ firing: 0, suppressed: 2 });

  test('pauses, and goes on with the time that was left when one fires', () => {
    const { incident, decision } = follow(pagingIncident(), all);
    expect(decision).toMatchObject({ type: 'incident.updated' });
    expect(incident).toMatchObject({ escalation: { state: 'paused', level: 2 }, dueAt: null });
    const alerts = alertsWith({ firing: 1, suppressed: 1 });
    expect(follow(incident, alerts, { fired: 1, at: minutes(60) }).incident).toMatchObject({
      escalation: { state: 'escalating', episode: 1, round: 1, level: 2, nextAt: minutes(65) },
      dueAt: minutes(65),
    });
  });

  test('pauses before anybody is told when it is handed back', () => {
    const back = decideIncident(acknowledgedIncident(), { status: 'triggered' }, null, minutes(5), kim, context);
    if (back.kind !== 'changed') throw new Error(back.kind);
    expect(follow(back.incident, all).incident).toMatchObject({
      status: 'triggered',
      escalation: { state: 'paused', level: 0 },
      dueAt: null,
    });
  });

  test('goes on while one that is not suppressed fires', () => {
    expect(follow(pagingIncident(), alertsWith({ firing: 1, suppressed: 1 })).incident.escalation.state).toBe(
      'escalating',
    );
  });

  test('resolves with the last of them', () => {
    expect(follow(pagingIncident(), alertsWith({ firing: 0 }), { resolved: 2 }).incident.status).toBe('resolved');
  });
});

test('an incident without alerts goes on', () => {
  expect(
    follow(pagingIncident({ alertCount: 0, openAlertCount: 0 }), alertsWith({ firing: 0 })).incident.escalation.state,
  ).toBe('escalating');
});

test('an incident that a person triggers goes on although its alerts are resolved', () => {
  const back = decideIncident(
    resolvedIncident({ openAlertCount: 0 }),
    { status: 'triggered' },
    null,
    minutes(5),
    kim,
    context,
  );
  if (back.kind !== 'changed') throw new Error(back.kind);
  expect(follow(back.incident, alertsWith({ firing: 0 })).incident.escalation).toEqual(secondEpisode);
});

describe('alerts that join an acknowledged incident', () => {
  const joins = (incident: IncidentState, count: number, minute: number) =>
    follow(incident, alertsWith({ firing: count, acknowledged: 2 }), {
      joined: count,
      fired: count,
      at: minutes(minute),
    });

  test('the first is told at once, later ones together after five minutes', () => {
    const first = joins(acknowledgedIncident(), 1, 5);
    expect(first.notices).toEqual([{ kind: 'joined', alerts: 1 }]);
    expect(first.incident).toMatchObject({ status: 'acknowledged', acknowledgedBy: kim, dueAt: null });
    const later = joins(joins(first.incident, 2, 6).incident, 3, 7);
    expect(later.notices).toEqual([]);
    expect(later.incident.dueAt).toBe(minutes(10));
    expect(decideDue(later.incident, 8, minutes(9), clock, context)).toBeNull();
    expect(decideDue(later.incident, 8, minutes(10), clock, context)).toMatchObject({
      kind: 'notice',
      notice: { kind: 'joined', alerts: 5 },
      incident: { dueAt: null },
      decision: null,
    });
    expect(joins(later.incident, 1, 10).notices).toEqual([{ kind: 'joined', alerts: 6 }]);
  });

  test('an alert whose suppression ends is told too', () => {
    expect(follow(acknowledgedIncident(), alertsWith({ firing: 1, acknowledged: 1 }), { fired: 1 }).notices).toEqual([
      { kind: 'joined', alerts: 1 },
    ]);
  });

  test('are not told any more when none of them fires', () => {
    const waiting = joins(joins(acknowledgedIncident(), 1, 5).incident, 2, 6).incident;
    const { incident, notices } = follow(waiting, alertsWith({ firing: 0, acknowledged: 4 }), { at: minutes(7) });
    expect(notices).toEqual([]);
    expect(incident.dueAt).toBeNull();
    expect(decideDue(incident, 4, minutes(60), clock, context)).toBeNull();
  });

  test('are told to nobody while nobody has acknowledged: the levels of the policy are', () => {
    expect(follow(pagingIncident(), alertsWith({ firing: 3 }), { joined: 1, fired: 1 })).toMatchObject({
      notices: [],
      incident: { escalation: { episode: 1, level: 2, nextAt: minutes(10) } },
    });
  });
});

describe('an alert that flaps', () => {
  const gone = alertsWith({ firing: 0, flaps: 4 });
  const flapping = (more: Partial<IncidentState> = {}) =>
    pagingIncident({ ...paging({}, { flappingUntil: minutes(15) }), ...more });

  test('three times resolves its incident each time', () => {
    expect(follow(pagingIncident(), { ...gone, flaps: 3 }, { resolved: 1 })).toMatchObject({
      incident: { status: 'resolved' },
      notices: [],
    });
  });

  test('four times keeps its incident open, and its people are told once', () => {
    const first = follow(pagingIncident(), gone, { resolved: 1 });
    expect(first.notices).toEqual([{ kind: 'flapping', alerts: 0 }]);
    expect(first.incident).toMatchObject({
      status: 'triggered',
      escalation: { state: 'paused', episode: 1, level: 2 },
      paging: { flappingUntil: minutes(15) },
      dueAt: minutes(15),
    });
    const fires = follow(first.incident, alertsWith({ firing: 1, flaps: 4 }), { joined: 1, fired: 1, at: minutes(6) });
    expect(fires).toMatchObject({
      notices: [],
      incident: {
        escalation: { state: 'escalating', episode: 1, nextAt: minutes(11) },
        paging: { flappingUntil: minutes(16) },
      },
    });
    const again = follow(fires.incident, { ...gone, flaps: 5 }, { resolved: 1, at: minutes(7) });
    expect(again).toMatchObject({
      notices: [],
      incident: { status: 'triggered', paging: { flappingUntil: minutes(17) } },
    });
  });

  test('is over when it has been quiet, its people are told once, and the incident is resolved', () => {
    const incident = flapping({
      openAlertCount: 0,
      ...paging({ state: 'paused', nextAt: null }, { flappingUntil: minutes(15) }),
    });
    expect(decideDue(incident, 0, minutes(14.9), clock, context)).toBeNull();
    const due = decideDue(incident, 0, minutes(15), clock, context);
    expect(due).toMatchObject({
      kind: 'notice',
      notice: { kind: 'flappingOver', alerts: 0 },
      decision: { type: 'incident.resolved' },
      incident: { status: 'resolved', resolvedBy: clock, resolvedAt: minutes(15), dueAt: null },
    });
  });

  test.each([
    ['an alert fires', flapping(paging({ nextAt: minutes(30) }, { flappingUntil: minutes(15) })), 1],
    [
      'the incident does not resolve by itself',
      flapping({ autoResolve: false, ...paging({ state: 'paused', nextAt: null }, { flappingUntil: minutes(15) }) }),
      0,
    ],
  ])('is over although %s: the incident stays open', (_name, incident, open) => {
    expect(decideDue(incident, open, minutes(15), clock, context)).toMatchObject({
      notice: { kind: 'flappingOver' },
      decision: null,
      incident: { status: 'triggered', paging: { flappingUntil: null }, version: 1 },
    });
  });

  test('beside another alert does not page with every firing: the incident keeps its severity until it is over', () => {
    const first = follow(pagingIncident(), alertsWith({ firing: 1, highest: 'low', flaps: 4 }), { resolved: 1 });
    expect(first).toMatchObject({ notices: [{ kind: 'flapping' }], incident: { severity: 'high' } });
    const fires = follow(first.incident, alertsWith({ flaps: 4 }), { joined: 1, fired: 1, at: minutes(6) });
    expect(fires).toMatchObject({ notices: [], incident: { severity: 'high', escalation: { episode: 1 } } });
    const again = follow(fires.incident, alertsWith({ firing: 1, highest: 'low', flaps: 5 }), {
      resolved: 1,
      at: minutes(7),
    });
    const over = decideDue(again.incident, 1, minutes(17), clock, context);
    expect(over).toEqual({ kind: 'level' });
    const due = decideDue(
      { ...again.incident, ...paging({ state: 'exhausted', nextAt: null }, again.incident.paging ?? {}) },
      1,
      minutes(17),
      clock,
      context,
    );
    if (due?.kind !== 'notice') throw new Error('no notice');
    expect(follow(due.incident, alertsWith({ firing: 1, highest: 'low' }), { at: minutes(17) })).toMatchObject({
      notices: [],
      incident: { severity: 'low', urgency: 'low' },
    });
  });

  test('does not hide that another one is worse', () => {
    expect(
      follow(flapping(quiet), alertsWith({ highest: 'critical' }), { joined: 1, fired: 1 }).incident,
    ).toMatchObject({
      severity: 'critical',
      escalation: secondEpisode,
      paging: { flappingUntil: minutes(15) },
    });
  });

  test('of an incident that pages nobody resolves it', () => {
    expect(follow(incidentWith(), gone, { resolved: 1 }).incident.status).toBe('resolved');
  });
});

describe('what is due', () => {
  const due = (incident: IncidentState, minute: number, open = 2) =>
    decideDue(incident, open, minutes(minute), clock, context);

  test('is the next level of an escalation, at its time', () => {
    expect(due(pagingIncident(), 9.9)).toBeNull();
    expect(due(pagingIncident(), 10)).toEqual({ kind: 'level' });
  });

  test.each([
    ['the time of an acknowledgement', null],
    ['a snooze', minutes(30)],
  ])('when %s has ended: the incident is triggered and a new episode begins', (_name, snoozedUntil) => {
    const incident = acknowledgedIncident({ snoozedUntil, ...paging({ state: 'waiting', nextAt: minutes(30) }) });
    expect(due(incident, 29.9)).toBeNull();
    expect(due(incident, 30)).toMatchObject({
      kind: 'triggered',
      decision: {
        type: 'incident.reopened',
        incident: {
          status: 'triggered',
          snoozedUntil: null,
          acknowledgedBy: null,
          escalation: { ...secondEpisode, nextAt: minutes(30) },
          version: 2,
        },
      },
    });
  });

  test('when an acknowledgement has ended and every alert is resolved: nobody is told', () => {
    const incident = acknowledgedIncident({ autoResolve: false, ...paging({ state: 'waiting', nextAt: minutes(30) }) });
    expect(due(incident, 30, 0)).toMatchObject({
      kind: 'triggered',
      decision: { incident: { status: 'triggered', escalation: { state: 'paused', episode: 2 }, dueAt: null } },
    });
  });

  test('when the snooze of an incident that pages nobody has ended: it is triggered, and nothing else is due', () => {
    const snoozed = decideIncident(incidentWith(), { snoozedUntil: minutes(30) }, null, minutes(5), kim, context);
    if (snoozed.kind !== 'changed') throw new Error(snoozed.kind);
    const after = due(snoozed.incident, 30);
    if (after?.kind !== 'triggered') throw new Error('not triggered');
    expect(after.decision.incident).toMatchObject({
      status: 'triggered',
      escalation: { state: 'stopped' },
      dueAt: null,
    });
    expect(due(after.decision.incident, 60)).toBeNull();
  });

  test('is nothing for an incident that is acknowledged without an end, paused, exhausted or resolved', () => {
    const states = [
      acknowledgedIncident(),
      pagingIncident(paging({ state: 'paused', nextAt: null })),
      pagingIncident(paging({ state: 'exhausted', nextAt: null })),
      resolvedIncident(),
      incidentWith(),
    ];
    expect(states.map((incident) => due(incident, 10_000))).toEqual(states.map(() => null));
  });

  test('is one thing at a time, so that a level is told before the end of the flapping', () => {
    const incident = pagingIncident(paging({}, { flappingUntil: minutes(8) }));
    expect(due(incident, 10)).toEqual({ kind: 'level' });
    expect(due({ ...incident, ...paging({ nextAt: minutes(20) }, { flappingUntil: minutes(8) }) }, 10)).toMatchObject({
      notice: { kind: 'flappingOver' },
    });
  });

  test('are alerts that fire again, before a level; until then they acknowledge no incident', () => {
    const acknowledged = alertsWith({ firing: 0, acknowledged: 2, highest: 'critical' });
    const { incident } = follow(acknowledgedIncident(quiet), acknowledged);
    expect(follow(incident, acknowledged).incident.status).toBe('triggered');
    const refire = due(incident, 5);
    if (refire?.kind !== 'refire') throw new Error('nothing fires');
    expect(refire.incident).toMatchObject({ paging: { refireAt: null }, version: incident.version, dueAt: minutes(5) });
    expect(due(refire.incident, 5)).toEqual({ kind: 'level' });
  });

  test('are the alerts that joined, once', () => {
    const joined = alertsJoined(alertsJoined(newPaging, 1, minutes(1)).paging, 2, minutes(2)).paging;
    const incident = acknowledgedIncident({ ...paging({ state: 'waiting', nextAt: null }), paging: joined });
    const told = due(incident, 6);
    if (told?.kind !== 'notice') throw new Error('no notice');
    expect(told.notice).toEqual({ kind: 'joined', alerts: 2 });
    expect(due(told.incident, 60)).toBeNull();
  });
});
