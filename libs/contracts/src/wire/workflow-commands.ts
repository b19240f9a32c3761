/**
 * Commands of the workflow engine to the alert pipeline, which alone writes alerts and incidents. A repeated command
 * has no further effect.
 */
import type { PolicyRequest, Severity } from '@ams/domain';
import type { Alert } from '../nouns/alerts.js';
import type { Incident } from '../nouns/incidents.js';
import type { Tenant } from '../principal.js';
import { serviceRequest } from './service-request.js';

export type WorkflowCommandBody =
  /** Opens an incident for the alert, or adds the alert to the incident of its group. */
  | {
      kind: 'openIncident';
      groupKey: string;
      /** Null: as the organization has set it. */
      windowSeconds: number | null;
      autoResolve: boolean;
      title: string;
      severity: Severity | null;
      /** Whose escalation policy runs. Absent or null: the incident pages nobody. */
      page?: PolicyRequest | null;
    }
  | { kind: 'setSeverity'; severity: Severity }
  | { kind: 'addLabels'; labels: Record<string, string> }
  /** A member's UUID. */
  | { kind: 'assign'; memberId: string }
  | { kind: 'acknowledge' }
  | { kind: 'resolve' };

export interface WorkflowCommand extends Tenant {
  /** UUIDs. Null: the service itself asks the catch-all policy, because no workflow runs. */
  workflow: { id: string; name: string } | null;
  /** The run, or the request of a page. */
  runId: string;
  /** The depth of the domain events that the command causes. */
  depth: number;
  /** The UUID of the event that began this chain of workflows. Commands of an earlier release do not say it. */
  rootEventId?: string | undefined;
  /** The subject, as UUIDs: the alert; the incident when there is no alert. */
  alertId: string | null;
  incidentId: string | null;
  body: WorkflowCommandBody;
}

export type WorkflowCommandReply =
  | {
      kind: 'done';
      changed: boolean;
      alert: Alert | null;
      incident: Incident | null;
      /** The incident was already open when the alert was added. */
      joined: boolean;
    }
  /** The alert or incident is not there, or its state does not allow it. */
  | { kind: 'refused'; reason: string };

export const workflowCommandRequest = serviceRequest<WorkflowCommand, WorkflowCommandReply>('cmd.pipeline.workflow');
