import fc from 'fast-check';
import {
  acknowledgedIncident,
  context,
  incidentWith,
  kim,
  lee,
  minutes,
  paging,
  pagingIncident,
  resolvedIncident,
  sender,
} from '../../testing/incidents.js';
import type { ActorRef } from '../alerts/alert-state.js';
import { severities } from '../alerts/severity.js';
import {
  changed,
  decideAlerts,
  decideIncident,
  incidentTransitions,
  type IncidentContext,
  type IncidentRequest,
  type IncidentState,
} from './incident-state.js';
import { incidentStatuses, type IncidentStatus } from './incident-status.js';

const fresh = incidentWith();
const changedTo = (incident: IncidentState, status: IncidentStatus, at = minutes(1), by = kim): IncidentState => {
  const decision = decideIncident(incident, { status }, null, at, by, context);
  if (decision.kind !== 'changed') throw new Error(decision.kind);
  return decision.incident;
};
const incidentIn = (status: IncidentStatus): IncidentState =>
  status === 'triggered' ? fresh : changedTo(fresh, status);

test.each<[IncidentStatus, IncidentStatus, string]>([
  ['triggered', 'triggered', 'unchanged'],
  ['triggered', 'acknowledged', 'incident.acknowledged'],
  ['triggered', 'resolved', 'incident.resolved'],
  ['acknowledged', 'triggered', 'incident.reopened'],
  ['acknowledged', 'acknowledged', 'unchanged'],
  ['acknowledged', 'resolved', 'incident.resolved'],
  ['resolved', 'triggered', 'incident.reopened'],
  ['resolved', 'acknowledged', 'refused'],
  ['resolved', 'resolved', 'unchanged'],
])('%s, asked to be %s: %s', (from, to, expected) => {
  const decision = decideIncident(incidentIn(from), { status: to }, null, minutes(9), lee, context);
  expect(decision.kind === 'changed' ? decision.type : decision.kind).toBe(expected);
  if (decision.kind === 'changed')
    expect(decision.incident).toMatchObject({ status: to, version: incidentIn(from).version + 1 });
  if (decision.kind === 'refused') expect(decision.allowed).toEqual(['triggered']);
});

test('the first actor stays; a reopened incident has no resolver', () => {
  const acknowledged = incidentIn('acknowledged');
  expect(
    decideIncident(acknowledged, { status: 'acknowledged', severity: 'low' }, null, minutes(5), lee, context),
  ).toMatchObject({
    type: 'incident.updated',
    incident: { acknowledgedBy: kim, severity: 'low' },
  });
  expect(changedTo(changedTo(acknowledged, 'resolved'), 'triggered', minutes(9))).toMatchObject({
    triggeredAt: minutes(9),
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolvedBy: null,
  });
});

test('a person or a key takes over the acknowledgement of the sender', () => {
  const bySender = acknowledgedIncident({ acknowledgedBy: sender });
  const timed = { ...context, ackTimeoutSeconds: 600 };
  expect(decideIncident(bySender, { status: 'acknowledged' }, null, minutes(5), lee, timed)).toMatchObject({
    type: 'incident.acknowledged',
    incident: { acknowledgedBy: lee, acknowledgedAt: minutes(5), dueAt: minutes(15), version: 2 },
    changes: [{ field: 'escalation' }, { field: 'acknowledgedBy', before: sender, after: lee }],
  });
  expect(decideIncident(bySender, { snoozedUntil: minutes(60) }, null, minutes(5), lee, timed)).toMatchObject({
    incident: { acknowledgedBy: lee, snoozedUntil: minutes(60), dueAt: minutes(60) },
  });
  expect(decideIncident(bySender, { status: 'acknowledged' }, null, minutes(5), sender, timed)).toEqual({
    kind: 'unchanged',
  });
});

test('fields that are sent change, others stay, and a note alone is a timeline entry', () => {
  const decision = decideIncident(
    fresh,
    { title: 'Slow', summary: 'since noon', assigneeIds: ['usr_1'] },
    null,
    minutes(1),
    kim,
    context,
  );
  expect(decision).toMatchObject({
    type: 'incident.updated',
    incident: { title: 'Slow', summary: 'since noon', assigneeIds: ['usr_1'], severity: 'high' },
  });
  expect(decision.kind === 'changed' && decision.changes.map(({ field }) => field)).toEqual([
    'title',
    'summary',
    'assigneeIds',
  ]);
  expect(decideIncident(fresh, { assigneeIds: [], title: fresh.title }, null, minutes(1), kim, context)).toEqual({
    kind: 'unchanged',
  });
  expect(decideIncident(fresh, {}, 'looked at it', minutes(1), kim, context)).toMatchObject({
    type: 'incident.noted',
    changes: [],
    incident: { version: 2 },
  });
});

test.each<[string, Parameters<typeof decideAlerts>[1], string, { alertCount: number; openAlertCount: number }]>([
  ['one is added', { added: 1, open: 1 }, 'incident.alertAdded', { alertCount: 3, openAlertCount: 3 }],
  ['one that is resolved is added', { added: 1 }, 'incident.alertAdded', { alertCount: 3, openAlertCount: 2 }],
  [
    'one goes to another incident',
    { moved: 1, movedOpen: 1 },
    'incident.updated',
    { alertCount: 1, openAlertCount: 1 },
  ],
])('%s: the counts change, and the status stays', (_name, alerts, type, counts) => {
  expect(decideAlerts(fresh, alerts)).toMatchObject({ type, incident: { ...counts, status: 'triggered', version: 2 } });
});

describe('the escalation of an incident', () => {
  const decided = (
    incident: IncidentState,
    request: IncidentRequest,
    { by = lee, ...more }: { by?: ActorRef } & Partial<IncidentContext> = {},
  ): IncidentState => {
    const decision = decideIncident(incident, request, null, minutes(5), by, { ...context, ...more });
    if (decision.kind !== 'changed') throw new Error(decision.kind);
    return decision.incident;
  };

  test('an acknowledgement ends it, and no level is due', () => {
    expect(decided(pagingIncident(), { status: 'acknowledged' })).toMatchObject({
      acknowledgedBy: lee,
      escalation: { state: 'waiting', episode: 1, level: 2, nextAt: null },
      dueAt: null,
    });
  });

  test('an acknowledgement ends by itself after the time of the policy', () => {
    expect(decided(pagingIncident(), { status: 'acknowledged' }, { ackTimeoutSeconds: 600 })).toMatchObject({
      snoozedUntil: null,
      escalation: { state: 'waiting', nextAt: minutes(15) },
      dueAt: minutes(15),
    });
  });

  test.each([
    ['handing an incident back', acknowledgedIncident()],
    ['handing a snoozed incident back', acknowledgedIncident({ snoozedUntil: minutes(60) })],
    ['reopening a resolved incident', resolvedIncident()],
  ])('%s begins a new episode with the first level at once', (_name, incident) => {
    expect(decided(incident, { status: 'triggered' })).toMatchObject({
      status: 'triggered',
      triggeredAt: minutes(5),
      acknowledgedBy: null,
      snoozedUntil: null,
      escalation: { state: 'escalating', episode: 2, round: 1, level: 0, nextAt: minutes(5), told: [] },
      paging: { stage: 'policy', reached: false, joined: null },
      dueAt: minutes(5),
    });
  });

  test('a resolve ends it', () => {
    expect(decided(pagingIncident(paging({}, { flappingUntil: minutes(9) })), { status: 'resolved' })).toMatchObject({
      escalation: { state: 'stopped', nextAt: null },
      paging: { flappingUntil: null },
      dueAt: null,
    });
  });

  test('an incident that pages nobody stays without one', () => {
    const acknowledged = decided(incidentWith(), { status: 'acknowledged' }, { ackTimeoutSeconds: 600 });
    expect(acknowledged).toMatchObject({ escalation: { state: 'stopped', episode: 0 }, dueAt: null });
    expect(decided(acknowledged, { status: 'triggered' })).toMatchObject({
      escalation: { state: 'stopped', episode: 0 },
      dueAt: null,
    });
  });

  test('an incident that pages nobody can be snoozed, and nothing is due after it was handed back', () => {
    const snoozed = decided(incidentWith(), { snoozedUntil: minutes(60) });
    expect(snoozed).toMatchObject({ status: 'acknowledged', dueAt: minutes(60) });
    expect(decided(snoozed, { status: 'triggered' })).toMatchObject({
      escalation: { state: 'stopped', nextAt: null },
      dueAt: null,
    });
  });
});

describe('a snooze', () => {
  const snooze = (incident: IncidentState, request: IncidentRequest, ackTimeoutSeconds: number | null = 600) =>
    decideIncident(incident, request, null, minutes(5), lee, { ...context, ackTimeoutSeconds });

  test('acknowledges a triggered incident until its time, whatever the policy says', () => {
    expect(snooze(pagingIncident(), { snoozedUntil: minutes(60) })).toMatchObject({
      type: 'incident.acknowledged',
      incident: {
        status: 'acknowledged',
        acknowledgedBy: lee,
        snoozedUntil: minutes(60),
        escalation: { state: 'waiting', nextAt: minutes(60) },
        dueAt: minutes(60),
      },
    });
  });

  test('of an acknowledged incident keeps who has acknowledged', () => {
    expect(snooze(acknowledgedIncident(), { snoozedUntil: minutes(60) })).toMatchObject({
      type: 'incident.updated',
      incident: { acknowledgedBy: kim, acknowledgedAt: minutes(1), snoozedUntil: minutes(60), dueAt: minutes(60) },
    });
  });

  const snoozed = acknowledgedIncident({
    snoozedUntil: minutes(60),
    dueAt: minutes(60),
    ...paging({ state: 'waiting', nextAt: minutes(60) }),
  });

  test('keeps the alerts that joined and were not told yet', () => {
    const joined = { toldAt: minutes(4), untold: 2 };
    const incident = acknowledgedIncident(paging({ state: 'waiting', nextAt: null }, { joined }));
    expect(snooze(incident, { snoozedUntil: minutes(60) })).toMatchObject({
      incident: { paging: { joined }, dueAt: minutes(9) },
    });
  });

  test('to the same time changes nothing', () => {
    expect(snooze(snoozed, { snoozedUntil: minutes(60) })).toEqual({ kind: 'unchanged' });
  });

  test('that is ended triggers the incident', () => {
    expect(snooze(snoozed, { snoozedUntil: null })).toMatchObject({
      type: 'incident.reopened',
      incident: { status: 'triggered', snoozedUntil: null, escalation: { episode: 2, level: 0 } },
    });
  });

  test('that is ended with an acknowledgement becomes one', () => {
    expect(snooze(snoozed, { snoozedUntil: null, status: 'acknowledged' })).toMatchObject({
      type: 'incident.updated',
      incident: { status: 'acknowledged', snoozedUntil: null, escalation: { state: 'waiting', nextAt: minutes(15) } },
    });
    expect(snooze(snoozed, { snoozedUntil: null, status: 'acknowledged' }, null)).toMatchObject({
      incident: { escalation: { state: 'waiting', nextAt: null }, dueAt: null },
    });
  });

  test('that nobody has asked for cannot be ended', () => {
    expect(snooze(acknowledgedIncident(), { snoozedUntil: null })).toEqual({ kind: 'unchanged' });
  });

  test('of a resolved incident is refused', () => {
    expect(snooze(resolvedIncident(), { snoozedUntil: minutes(60) })).toEqual({
      kind: 'refused',
      from: 'resolved',
      to: 'acknowledged',
      allowed: ['triggered'],
    });
  });

  test.each<IncidentStatus>(['triggered', 'resolved'])('together with the status %s: the status counts', (status) => {
    expect(snooze(acknowledgedIncident(), { status, snoozedUntil: minutes(60) })).toMatchObject({
      incident: { status, snoozedUntil: null },
    });
  });
});

describe('the severity that a request sets', () => {
  const quiet = { severity: 'low', urgency: 'low' } as const;
  const asked = (incident: IncidentState, request: IncidentRequest, by = lee) =>
    decideIncident(incident, request, null, minutes(5), by, context);

  test.each([
    ['triggered', pagingIncident(quiet)],
    ['acknowledged', acknowledgedIncident(quiet)],
  ])('triggers an incident that is %s when its urgency rises', (_name, incident) => {
    expect(asked(incident, { severity: 'critical' })).toMatchObject({
      type: 'incident.reopened',
      incident: {
        status: 'triggered',
        severity: 'critical',
        urgency: 'high',
        escalation: { state: 'escalating', episode: 2, level: 0, nextAt: minutes(5) },
      },
    });
  });

  test.each<[string, IncidentState, IncidentRequest]>([
    ['acknowledges', pagingIncident(quiet), { status: 'acknowledged' }],
    ['acknowledges again', acknowledgedIncident(quiet), { status: 'acknowledged' }],
    ['snoozes', acknowledgedIncident(quiet), { snoozedUntil: minutes(60) }],
  ])('triggers nothing when the same request %s the incident', (_name, incident, request) => {
    expect(asked(incident, { severity: 'critical', ...request })).toMatchObject({
      incident: { status: 'acknowledged', urgency: 'high', escalation: { state: 'waiting', episode: 1 } },
    });
  });

  test.each<[string, IncidentState, IncidentRequest, 'high' | 'low']>([
    ['a lowering', pagingIncident(), { severity: 'low' }, 'low'],
    ['a rise within low urgency', pagingIncident(quiet), { severity: 'medium' }, 'low'],
    ['a rise within high urgency', pagingIncident(), { severity: 'critical' }, 'high'],
  ])('changes nothing else for %s', (_name, incident, request, urgency) => {
    expect(asked(incident, request)).toMatchObject({
      type: 'incident.updated',
      incident: { ...request, urgency, status: 'triggered', escalation: incident.escalation, dueAt: minutes(10) },
    });
  });

  test('triggers no resolved incident', () => {
    expect(asked(resolvedIncident(quiet), { severity: 'critical' })).toMatchObject({
      incident: { status: 'resolved', urgency: 'high', dueAt: null },
    });
  });

  test('is that of a person only when a person has set it', () => {
    expect(asked(fresh, { severity: 'low' })).toMatchObject({ incident: { severityBy: 'person' } });
    expect(asked(fresh, { severity: 'low' }, { type: 'api_key', id: 'key_1', name: 'CI' })).toMatchObject({
      incident: { severityBy: 'alerts' },
    });
    expect(asked(fresh, { title: 'Slow' })).toMatchObject({ incident: { severityBy: 'alerts' } });
  });

  test('is the only cause of a rise: settings that changed since trigger nothing', () => {
    expect(asked(acknowledgedIncident({ severity: 'high', urgency: 'low' }), { title: 'Slow' })).toMatchObject({
      type: 'incident.updated',
      incident: { status: 'acknowledged', urgency: 'high' },
    });
  });
});

test('an entry of the timeline shows the escalation without the list of those who were told', () => {
  const before = pagingIncident();
  const { changes } = changed(before, 'incident.paged', paging({ level: 3, nextAt: minutes(20), told: [] }));
  const shown = { state: 'escalating', episode: 1, round: 1 };
  expect(changes).toEqual([
    {
      field: 'escalation',
      before: { ...shown, level: 2, nextAt: minutes(10) },
      after: { ...shown, level: 3, nextAt: minutes(20) },
    },
  ]);
  expect(changed(before, 'incident.paged', { escalation: { ...before.escalation, told: [] } }).changes).toEqual([]);
});

test('for any sequence of requests, states follow the table and the record never contradicts itself', () => {
  const request = fc.record(
    {
      status: fc.constantFrom(...incidentStatuses),
      severity: fc.constantFrom(...severities),
      title: fc.string(),
      assigneeIds: fc.array(fc.string(), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(request, { maxLength: 30 }), (requests) => {
      let incident = fresh;
      requests.forEach((asked, i) => {
        const decision = decideIncident(incident, asked, null, minutes(i), kim, context);
        if (decision.kind === 'refused') expect(incidentTransitions[incident.status]).not.toContain(asked.status);
        if (decision.kind !== 'changed') return;
        expect(decision.incident.version).toBe(incident.version + 1);
        if (decision.incident.status !== incident.status)
          expect(incidentTransitions[incident.status]).toContain(decision.incident.status);
        incident = decision.incident;
        expect(incident.status === 'resolved').toBe(incident.resolvedAt !== null);
        expect((incident.resolvedAt === null) === (incident.resolvedBy === null)).toBe(true);
      });
    }),
  );
});
