import fc from 'fast-check';
import type { ActorRef } from '../alerts/alert-state.js';
import { decideAlerts, decideIncident, incidentTransitions, type IncidentState } from './incident-state.js';
import { incidentStatuses, type IncidentStatus } from './incident-status.js';
import { severities } from '../alerts/severity.js';

const kim: ActorRef = { type: 'user', id: 'usr_1', name: 'Kim' };
const lee: ActorRef = { type: 'user', id: 'usr_2', name: 'Lee' };
const t = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

const fresh: IncidentState = {
  status: 'triggered',
  severity: 'high',
  title: 'Checkout is slow',
  summary: null,
  assigneeIds: [],
  autoResolve: true,
  alertCount: 2,
  openAlertCount: 2,
  triggeredAt: t(0),
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolvedBy: null,
  version: 1,
};
const changedTo = (incident: IncidentState, status: IncidentStatus, at = t(1), by = kim): IncidentState => {
  const decision = decideIncident(incident, { status }, null, at, by);
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
  const decision = decideIncident(incidentIn(from), { status: to }, null, t(9), lee);
  expect(decision.kind === 'changed' ? decision.type : decision.kind).toBe(expected);
  if (decision.kind === 'changed')
    expect(decision.incident).toMatchObject({ status: to, version: incidentIn(from).version + 1 });
  if (decision.kind === 'refused') expect(decision.allowed).toEqual(['triggered']);
});

test('the first actor stays; a reopened incident has no resolver', () => {
  const acknowledged = incidentIn('acknowledged');
  expect(decideIncident(acknowledged, { status: 'acknowledged', severity: 'low' }, null, t(5), lee)).toMatchObject({
    type: 'incident.updated',
    incident: { acknowledgedBy: kim, severity: 'low' },
  });
  expect(changedTo(changedTo(acknowledged, 'resolved'), 'triggered', t(9))).toMatchObject({
    triggeredAt: t(9),
    acknowledgedAt: null,
    acknowledgedBy: null,
    resolvedAt: null,
    resolvedBy: null,
  });
});

test('fields that are sent change, others stay, and a note alone is a timeline entry', () => {
  const decision = decideIncident(
    fresh,
    { title: 'Slow', summary: 'since noon', assigneeIds: ['usr_1'] },
    null,
    t(1),
    kim,
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
  expect(decideIncident(fresh, { assigneeIds: [], title: fresh.title }, null, t(1), kim)).toEqual({
    kind: 'unchanged',
  });
  expect(decideIncident(fresh, {}, 'looked at it', t(1), kim)).toMatchObject({
    type: 'incident.noted',
    changes: [],
    incident: { version: 2 },
  });
});

test.each<[string, Partial<IncidentState>, Parameters<typeof decideAlerts>[1], string, IncidentStatus]>([
  ['the last open alert resolves', { openAlertCount: 1 }, { resolved: 1 }, 'incident.resolved', 'resolved'],
  [
    'the last one resolves, but it was not opened so',
    { openAlertCount: 1, autoResolve: false },
    { resolved: 1 },
    'incident.updated',
    'triggered',
  ],
  ['one of two resolves', {}, { resolved: 1 }, 'incident.updated', 'triggered'],
  ['both resolve at once', {}, { resolved: 2 }, 'incident.resolved', 'resolved'],
  [
    'the last one goes to another incident',
    { openAlertCount: 1 },
    { moved: 1, movedOpen: 1 },
    'incident.updated',
    'triggered',
  ],
  ['one is added', {}, { added: 1, open: 1 }, 'incident.alertAdded', 'triggered'],
])('%s: %s', (_name, before, alerts, type, status) => {
  expect(decideAlerts({ ...fresh, ...before }, alerts, t(4), kim)).toMatchObject({ type, incident: { status } });
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
        const decision = decideIncident(incident, asked, null, t(i), kim);
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
