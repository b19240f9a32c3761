/** By which policy an alert pages, and when it asks the catch-all policy: the engine and a simulation decide by this. */
import type { AlertStatus } from '../alerts/alert-status.js';
import type { Severity } from '../alerts/severity.js';
import { urgencyOf, type OrganizationSettings } from './organization-settings.js';

/** What a page asks for: a policy by its id, the policy of the team with this slug, or the catch-all policy. */
export type PolicyRequest = { policyId: string } | { team: string | null } | { catchAll: true };

/** What was found for the request. Ids are public ids. */
export type PolicyFound = { kind: 'policy'; policyId: string } | { kind: 'missing' } | { kind: 'teamWithoutPolicy' };

/** Why this policy: the request, or what was missing, so that the catch-all policy takes its place. */
export const policyReasons = [
  'named',
  'team',
  'asked',
  'policyMissing',
  'noTeamNamed',
  'teamMissing',
  'teamWithoutPolicy',
] as const;

export type PolicyReason = (typeof policyReasons)[number];

/** `policyId` is null when the organization has no catch-all policy either: then the owners are told. */
export interface PolicyChoice {
  policyId: string | null;
  by: 'policy' | 'team' | 'catchAll';
  reason: PolicyReason;
}

export function choosePolicy(
  request: PolicyRequest,
  found: PolicyFound,
  { catchAllPolicyId }: Pick<OrganizationSettings, 'catchAllPolicyId'>,
): PolicyChoice {
  const catchAll = (reason: PolicyReason): PolicyChoice => ({ policyId: catchAllPolicyId, by: 'catchAll', reason });
  if ('catchAll' in request) return catchAll('asked');
  const isNamed = 'policyId' in request;
  if (!isNamed && request.team === null) return catchAll('noTeamNamed');
  switch (found.kind) {
    case 'policy':
      return { policyId: found.policyId, by: isNamed ? 'policy' : 'team', reason: isNamed ? 'named' : 'team' };
    case 'missing':
      return catchAll(isNamed ? 'policyMissing' : 'teamMissing');
    case 'teamWithoutPolicy':
      return catchAll('teamWithoutPolicy');
  }
}

/** `asked`, or why an event of an alert does not ask the catch-all policy. */
export const catchAllOutcomes = [
  'asked',
  'workflow',
  'event',
  'notFiring',
  'inIncident',
  'noPolicy',
  'lowUrgency',
] as const;

export type CatchAllOutcome = (typeof catchAllOutcomes)[number];

/** The events by which an alert that fires can ask for somebody without a workflow. */
export const askingEvents = ['alert.created', 'alert.resumed', 'alert.severityChanged'] as const;

const asking: ReadonlySet<string> = new Set(askingEvents);

export interface AskingAlert {
  event: string;
  /** The alert at the event. */
  status: AlertStatus;
  severity: Severity;
  incidentId: string | null;
  /** How many workflows run for the event. */
  runs: number;
}

/** An alert that is in an incident has its people. */
export function decideCatchAll(
  { event, status, severity, incidentId, runs }: AskingAlert,
  settings: Pick<OrganizationSettings, 'catchAllPolicyId' | 'highUrgencySeverities'>,
): CatchAllOutcome {
  if (runs > 0) return 'workflow';
  if (!asking.has(event)) return 'event';
  if (status !== 'firing') return 'notFiring';
  if (incidentId !== null) return 'inIncident';
  if (settings.catchAllPolicyId === null) return 'noPolicy';
  return urgencyOf(severity, settings) === 'high' ? 'asked' : 'lowUrgency';
}
