/** What the workflow engine asks of the pipeline, the only writer of alerts and incidents. Asking twice has the effect of once. */
import type { Severity } from '@ams/domain';
import type { Alert } from '../nouns/alerts.js';
import type { Incident } from '../nouns/incidents.js';
import type { Tenant } from '../principal.js';
import { serviceRequest } from './service-request.js';

export type WorkflowCommandBody =
  /** Opens an incident for the alert, or adds it to that of its group. */
  | {
      kind: 'openIncident';
      groupKey: string;
      windowSeconds: number;
      autoResolve: boolean;
      title: string;
      severity: Severity | null;
    }
  | { kind: 'setSeverity'; severity: Severity }
  | { kind: 'addLabels'; labels: Record<string, string> }
  /** A member's UUID. */
  | { kind: 'assign'; memberId: string }
  | { kind: 'acknowledge' }
  | { kind: 'resolve' };

export interface WorkflowCommand extends Tenant {
  /** UUIDs. */
  workflow: { id: string; name: string };
  runId: string;
  /** The depth of the changes that it causes. */
  depth: number;
  /** What it is about, as UUIDs: the alert, and without one the incident. */
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
      /** The incident was open already when the alert came to it. */ joined: boolean;
    }
  /** The alert or incident is not there, or its state does not allow it. */
  | { kind: 'refused'; reason: string };

export const workflowCommandRequest = serviceRequest<WorkflowCommand, WorkflowCommandReply>('cmd.pipeline.workflow');
export const workflowCommandSubject = workflowCommandRequest.subject;
