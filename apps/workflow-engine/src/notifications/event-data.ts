/**
 * What a webhook tells: the alert or incident as it was at the event. The run keeps it, because a step may be done
 * days later, and each notification has a copy, because it may be attempted after the run was deleted.
 */
import type { Run } from '@ams/alerting';
import type { Alert, ExpiringWindow, HandOff, Incident } from '@ams/contracts';
import { boundedJson } from '@ams/database';
import { addressName, type WorkflowStep } from '@ams/domain';
import { createHash } from 'node:crypto';
import { alertOf, expiringOf, handOffOf, incidentOf, type DomainEvent } from '../runs/condition-facts.js';

/** `data` of a webhook. For the event of an alert, the incident is as it was when the message was created. */
export interface EventData {
  alert: Alert | null;
  incident: Incident | null;
  /** Only for the events of schedules, and of suppression windows. */
  schedule?: HandOff;
  suppression?: ExpiringWindow;
}

/** Whether a step posts the event to a webhook. */
export const postsEvents = (steps: readonly WorkflowStep[]): boolean =>
  steps.some(
    (step) =>
      step.type === 'webhook' ||
      (step.type === 'notify' &&
        step.params.targets.some((target) => target.type === 'channel' && target.kind === 'webhook')),
  );

/** As JSON. Its texts are cut like those of the outbox. */
export const eventDataOf = (event: DomainEvent): string =>
  boundedJson({
    alert: alertOf(event),
    incident: incidentOf(event),
    ...('schedule' in event ? { schedule: event.schedule } : {}),
    ...('suppression' in event ? { suppression: event.suppression } : {}),
  } satisfies EventData);

export const subjectVersionOf = (event: DomainEvent): number | null =>
  (alertOf(event) ?? incidentOf(event) ?? handOffOf(event) ?? expiringOf(event))?.version ?? null;

const subjectOf = ({ eventType, alertId, incidentId, subjectId }: Run): string => {
  if (subjectId !== null) return `record ${subjectId}`;
  return eventType.startsWith('incident.') ? `incident ${incidentId}` : `alert ${alertId}`;
};

/** The place of a webhook in the order: that of its subject at its target. */
export const orderKeyOf = (run: Run, url: string): string =>
  createHash('sha256')
    .update(JSON.stringify([subjectOf(run), addressName(url)]))
    .digest('base64url');
