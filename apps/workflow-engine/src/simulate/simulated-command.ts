/** Executes a command as the pipeline does, on imagined records, and shows what it does with an incident. */
import { executeCommand, type IncidentRecord } from '@ams/alerting';
import {
  publicId,
  uuidOf,
  type ImaginedIncident,
  type PlannedIncident,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import { incidentOf, type AlertingEvent } from '../runs/condition-facts.js';
import type { ImaginedRecords } from './imagined-records.js';
import { plannedPage } from './planned-page.js';
import { noIncident, type StepIncident } from './step-description.js';

export interface ExecutedCommand {
  reply: WorkflowCommandReply;
  events: AlertingEvent[];
  stepIncident: StepIncident;
}

/** `now` in milliseconds. */
export async function executed(
  { records, now }: { readonly records: ImaginedRecords; readonly now: number },
  command: WorkflowCommand,
): Promise<ExecutedCommand> {
  const at = new Date(now).toISOString();
  const reply = await executeCommand(records, command, at);
  const events = records.takeEvents();
  await records.followAlerts();
  const pages = records.takePages();
  const all = [...events, ...records.takeEvents()];
  const { body } = command;
  if (body.kind !== 'openIncident' || reply.kind === 'refused' || !reply.incident)
    return { reply, events: all, stepIncident: { ...noIncident, pages } };
  const record = await records.incident(uuidOf('incident', reply.incident.id) as string);
  const incident = record ? { ...shownIncident(record, records), decision: decisionOf(reply, events) } : null;
  const policyId = record?.state.paging ? record.state.policyId : undefined;
  const planned = body.page ? await plannedPage(records.paging, command, body.page, { policyId, pages, at }) : null;
  const isUnmatched = command.workflow === null && planned?.by === 'catchAll';
  const page = isUnmatched ? { ...planned, why: 'No workflow runs for the alert.' } : planned;
  return { reply, events: all, stepIncident: { incident, page, pages } };
}

function decisionOf(
  { incident, changed }: Extract<WorkflowCommandReply, { kind: 'done' }>,
  events: readonly AlertingEvent[],
): PlannedIncident['decision'] {
  const happened = (type: string): boolean =>
    events.some((event) => event.type === type && incidentOf(event)?.id === incident?.id);
  if (happened('incident.created')) return 'opened';
  if (happened('incident.reopened')) return 'reopened';
  return changed ? 'joined' : 'kept';
}

export function shownIncident({ id, number, state }: IncidentRecord, records: ImaginedRecords): ImaginedIncident {
  const isMade = records.isMade(id);
  return {
    id: isMade ? null : publicId('incident', id),
    number: isMade ? null : number,
    title: state.title,
    status: state.status,
  };
}
