import fc from 'fast-check';
import { alertStatuses } from '../alerts/alert-status.js';
import { severities, type Severity } from '../alerts/severity.js';
import { workflowEvents } from '../workflows/workflow-schema.js';
import {
  askingEvents,
  choosePolicy,
  decideCatchAll,
  type AskingAlert,
  type CatchAllOutcome,
  type PolicyChoice,
  type PolicyFound,
  type PolicyRequest,
} from './page-policy.js';

const own: PolicyFound = { kind: 'policy', policyId: 'pol_own' };
const missing: PolicyFound = { kind: 'missing' };
const bare: PolicyFound = { kind: 'teamWithoutPolicy' };

test.each<[string, PolicyRequest, PolicyFound, PolicyChoice]>([
  ['named by its id', { policyId: 'pol_own' }, own, { policyId: 'pol_own', by: 'policy', reason: 'named' }],
  ['of the team', { team: 'payments' }, own, { policyId: 'pol_own', by: 'team', reason: 'team' }],
  [
    'for every alert, when the step asks for the catch-all',
    { catchAll: true },
    missing,
    { policyId: 'pol_all', by: 'catchAll', reason: 'asked' },
  ],
  [
    'for every alert, when the named one does not exist',
    { policyId: 'pol_gone' },
    missing,
    { policyId: 'pol_all', by: 'catchAll', reason: 'policyMissing' },
  ],
  [
    'for every alert, when no label names a team',
    { team: null },
    missing,
    { policyId: 'pol_all', by: 'catchAll', reason: 'noTeamNamed' },
  ],
  [
    'for every alert, when nobody knows the team',
    { team: 'atlantis' },
    missing,
    { policyId: 'pol_all', by: 'catchAll', reason: 'teamMissing' },
  ],
  [
    'for every alert, when the team has none',
    { team: 'payments' },
    bare,
    { policyId: 'pol_all', by: 'catchAll', reason: 'teamWithoutPolicy' },
  ],
])('the policy is the one %s', (_which, request, found, choice) => {
  expect(choosePolicy(request, found, { catchAllPolicyId: 'pol_all' })).toEqual(choice);
  const without = choosePolicy(request, found, { catchAllPolicyId: null });
  expect(without).toEqual(choice.by === 'catchAll' ? { ...choice, policyId: null } : choice);
});

const settings = { catchAllPolicyId: 'pol_all', highUrgencySeverities: ['critical', 'high'] as Severity[] };
const alert: AskingAlert = { event: 'alert.created', status: 'firing', severity: 'high', incidentId: null, runs: 0 };

test.each<[string, Partial<AskingAlert>, CatchAllOutcome]>([
  ['is urgent and fires', {}, 'asked'],
  ['is urgent and fires again after it was hidden', { event: 'alert.resumed' }, 'asked'],
  ['becomes urgent', { event: 'alert.severityChanged', severity: 'critical' }, 'asked'],
  ['has a workflow', { runs: 1 }, 'workflow'],
  ['is acknowledged', { event: 'alert.acknowledged', status: 'acknowledged' }, 'event'],
  ['is suppressed', { status: 'suppressed' }, 'notFiring'],
  ['has people already', { incidentId: 'inc_1' }, 'inIncident'],
  ['is not urgent', { severity: 'medium' }, 'lowUrgency'],
])('an alert that %s: %#', (_what, changes, outcome) =>
  expect(decideCatchAll({ ...alert, ...changes }, settings)).toBe(outcome),
);

test('without a catch-all policy no alert asks it', () =>
  expect(decideCatchAll(alert, { ...settings, catchAllPolicyId: null })).toBe('noPolicy'));

test('whoever has no workflow and no incident asks exactly when urgent and firing', () =>
  fc.assert(
    fc.property(
      fc.record({
        event: fc.constantFrom(...workflowEvents),
        status: fc.constantFrom(...alertStatuses),
        severity: fc.constantFrom(...severities),
        incidentId: fc.constantFrom(null, 'inc_1'),
        runs: fc.nat(2),
      }),
      fc.nat(severities.length),
      (asked, urgent) => {
        const highUrgencySeverities = severities.slice(0, urgent);
        const expected =
          asked.runs === 0 &&
          askingEvents.some((event) => event === asked.event) &&
          asked.status === 'firing' &&
          asked.incidentId === null &&
          highUrgencySeverities.includes(asked.severity);
        expect(decideCatchAll(asked, { catchAllPolicyId: 'pol_all', highUrgencySeverities }) === 'asked').toBe(
          expected,
        );
      },
    ),
  ));
