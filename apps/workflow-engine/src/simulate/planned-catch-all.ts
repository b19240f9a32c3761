/** What an alert for which no workflow runs asks of the catch-all policy, by the functions of the job `pageCatchAll`. */
import { newUuid, uuidOf, type SimulatedCatchAll } from '@ams/contracts';
import type { CatchAllOutcome } from '@ams/domain';
import { catchAllCommand } from '../pages/page-catch-all.js';
import { catchAllOutcome } from '../pages/page-requests.js';
import { alertOf, type AlertingEvent } from '../runs/condition-facts.js';
import { rootOf } from '../runs/workflows.js';
import type { ImaginedRecords } from './imagined-records.js';
import { describePage, plannedTargets } from './planned-page.js';
import { executed } from './simulated-command.js';
import { describeIncident } from './step-description.js';

export interface PlannedCatchAll {
  /** Null for an event of an incident. */
  shown: SimulatedCatchAll | null;
  /** What follows from the incident that it opens. */
  events: AlertingEvent[];
}

const whyNot: Readonly<Record<Exclude<CatchAllOutcome, 'asked'>, string>> = {
  workflow: 'a workflow runs',
  event: 'the event asks for nobody',
  notFiring: 'the alert is not firing',
  inIncident: 'the alert is in an incident already',
  noPolicy: 'the organization has none',
  lowUrgency: 'the alert is not urgent',
};

const nobody = { incident: null, page: null, targets: [] };

/** `runs`: how many workflows run for the event. `now` in milliseconds. */
export async function plannedCatchAll(
  simulation: { readonly records: ImaginedRecords; readonly now: number },
  event: AlertingEvent,
  runs: number,
): Promise<PlannedCatchAll> {
  const outcome = catchAllOutcome(event, runs, await simulation.records.paging.settings(event));
  const alert = alertOf(event);
  const alertId = uuidOf('alert', alert?.id ?? '');
  if (outcome === null || !alert || alertId === null) return { shown: null, events: [] };
  if (outcome !== 'asked')
    return {
      shown: { outcome, would: `The catch-all policy is not asked: ${whyNot[outcome]}.`, ...nobody },
      events: [],
    };
  const { organizationId, environment, depth } = event;
  const request = { id: newUuid(), organizationId, environment, alertId, eventId: rootOf(event), depth: depth + 1 };
  const { reply, events, stepIncident } = await executed(simulation, catchAllCommand(request, alert));
  const { incident, page, pages } = stepIncident;
  const targets = plannedTargets(pages.flatMap(({ recipients }) => recipients));
  const would =
    reply.kind === 'refused'
      ? `Nothing: ${reply.reason}.`
      : `No workflow runs for the alert, which is urgent. It would ${describeIncident(null, incident)}` +
        `${page ? describePage(page, incident?.decision ?? null) : ''}.`;
  return { shown: { outcome, would, incident, page, targets }, events };
}
