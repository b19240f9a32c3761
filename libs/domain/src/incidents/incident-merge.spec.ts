import {
  acknowledgedIncident,
  context,
  incidentWith,
  kim,
  minutes,
  pagingIncident,
  resolvedIncident,
} from '../../testing/incidents.js';
import { decideMerge, policyAfterMerge, type MergedIncident } from './incident-merge.js';
import { decideIncident, type IncidentState } from './incident-state.js';

const at = minutes(5);
const target = (state: IncidentState = pagingIncident(), more: Partial<MergedIncident> = {}): MergedIncident => ({
  id: 'inc_target',
  clientId: 'cli_1',
  state,
  ...more,
});
const source = (state: IncidentState = pagingIncident(), more: Partial<MergedIncident> = {}): MergedIncident =>
  target(state, { id: 'inc_source', ...more });

const merge = (into: MergedIncident, ...sources: MergedIncident[]) => decideMerge(into, sources, at, kim, context);
function merged(into: MergedIncident, ...sources: MergedIncident[]) {
  const decision = merge(into, ...sources);
  if (decision.kind !== 'merged') throw new Error(JSON.stringify(decision));
  return decision;
}

test('the target has all alerts, and its escalation goes on as it was', () => {
  const before = pagingIncident({ alertCount: 3, openAlertCount: 1 });
  const others = [source(), source(pagingIncident({ alertCount: 5, openAlertCount: 0 }), { id: 'inc_third' })];
  const { target: after, raised } = merged(target(before), ...others);
  expect(after).toMatchObject({
    type: 'incident.merged',
    incident: { ...before, alertCount: 10, openAlertCount: 3, version: 2 },
  });
  expect(after.changes).toContainEqual({
    field: 'mergedIncidentIds',
    before: null,
    after: ['inc_source', 'inc_third'],
  });
  expect(raised).toBeNull();
});

test('a source is resolved without alerts, names the target, tells nobody, and is never opened again', () => {
  const [{ decision } = { decision: null }] = merged(target(), source(acknowledgedIncident())).sources;
  if (!decision) throw new Error('there is no source');
  expect(decision).toMatchObject({
    type: 'incident.resolved',
    incident: {
      status: 'resolved',
      resolvedAt: at,
      resolvedBy: kim,
      mergedInto: 'inc_target',
      alertCount: 0,
      openAlertCount: 0,
      dueAt: null,
      escalation: { state: 'stopped' },
    },
  });
  expect(decideIncident(decision.incident, { status: 'triggered' }, null, at, kim, context)).toEqual({
    kind: 'refused',
    from: 'resolved',
    to: 'triggered',
    allowed: [],
  });
});

const gone = (into: string): IncidentState => resolvedIncident({ mergedInto: into });

test.each([
  ['the target is resolved', target(resolvedIncident()), source(), { reason: 'resolved', id: 'inc_target' }],
  ['the source is resolved', target(), source(resolvedIncident()), { reason: 'resolved', id: 'inc_source' }],
  ['it is the same incident', target(), target(), { reason: 'itself', id: 'inc_target' }],
  [
    'the clients differ',
    target(),
    source(undefined, { clientId: 'cli_2' }),
    { reason: 'otherClient', id: 'inc_source' },
  ],
  ['one has no client', target(), source(undefined, { clientId: null }), { reason: 'otherClient', id: 'inc_source' }],
  [
    'it was merged into another one',
    target(),
    source(gone('inc_other')),
    { reason: 'mergedElsewhere', id: 'inc_source' },
  ],
])('it is refused when %s', (_name, into, from, refusal) =>
  expect(merge(into, from)).toEqual({ kind: 'refused', ...refusal }),
);

test('what was merged into it before changes nothing, also beside others', () => {
  const before = source(gone('inc_target'), { id: 'inc_before' });
  expect(merge(target(), before)).toEqual({ kind: 'unchanged' });
  expect(merged(target(), before, source()).sources.map(({ id }) => id)).toEqual(['inc_source']);
});

describe('a target that pages nobody', () => {
  const other = source(pagingIncident({ policyId: 'pol_2' }));

  test('begins with the policy of a source that pages', () => {
    const silent = incidentWith();
    expect(policyAfterMerge(silent, [incidentWith(), other.state])).toBe('pol_2');
    expect(merged(target(silent), source(incidentWith(), { id: 'inc_silent' }), other).target.incident).toMatchObject({
      policyId: 'pol_2',
      dueAt: at,
      escalation: { state: 'escalating', episode: 1, round: 1, level: 0, nextAt: at },
    });
  });

  test('waits when somebody has acknowledged it, until the snooze or the acknowledgement ends', () => {
    const silent = incidentWith({ status: 'acknowledged', acknowledgedAt: minutes(1), acknowledgedBy: kim });
    const nextAt = (state: IncidentState, ackTimeoutSeconds: number | null) => {
      const decision = decideMerge(target(state), [other], at, kim, { ...context, ackTimeoutSeconds });
      return decision.kind === 'merged' && decision.target.incident.escalation;
    };
    expect(nextAt(silent, null)).toMatchObject({ state: 'waiting', nextAt: null });
    expect(nextAt(silent, 60)).toMatchObject({ state: 'waiting', nextAt: minutes(6) });
    expect(nextAt({ ...silent, snoozedUntil: minutes(90) }, 60)).toMatchObject({ nextAt: minutes(90) });
  });

  test('still pages nobody when no source does', () =>
    expect(merged(target(incidentWith()), source(incidentWith())).target.incident.paging).toBeNull());
});

describe('a severity that a member has set on a source', () => {
  const given = (severity: IncidentState['severity']) => source(incidentWith({ severity, severityBy: 'person' }));
  const low = { severity: 'low', urgency: 'low' } as const;

  test('is that of the target when it is higher', () => {
    const { raised, notice } = merged(target(), given('critical'));
    expect(raised).toMatchObject({
      type: 'incident.updated',
      incident: { severity: 'critical', severityBy: 'person', version: 3 },
    });
    expect(notice).toEqual({ kind: 'rise', alerts: 0 });
    expect(merged(target(), given('low')).raised).toBeNull();
  });

  test('triggers the target again when it becomes urgent', () => {
    const { raised, notice } = merged(target(acknowledgedIncident(low)), given('high'));
    expect(raised).toMatchObject({
      type: 'incident.reopened',
      incident: {
        status: 'triggered',
        urgency: 'high',
        dueAt: at,
        escalation: { episode: 2, level: 0, nextAt: at },
        paging: { refireAt: at },
      },
    });
    expect(notice).toBeNull();
  });

  test('triggers nobody when the target pages nobody', () =>
    expect(merged(target(incidentWith(low)), given('high')).raised).toMatchObject({
      type: 'incident.updated',
      incident: { status: 'triggered', severity: 'high', paging: null },
    }));
});
