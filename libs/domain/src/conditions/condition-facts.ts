/** The input of conditions: an alert and its related records. */
import type { AlertStatus } from '../alerts/alert-status.js';
import type { IncidentStatus } from '../incidents/incident-status.js';
import type { Severity } from '../alerts/severity.js';

export interface AlertFacts {
  title: string;
  description: string | null;
  severity: Severity;
  status: AlertStatus;
  source: string | null;
  fingerprint: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  clientId: string | null;
  integrationId: string;
  incidentId: string | null;
  assigneeId: string | null;
  occurrenceCount: number;
}

export interface IncidentFacts {
  number: number;
  title: string;
  summary: string | null;
  severity: Severity;
  status: IncidentStatus;
  clientId: string | null;
  alertCount: number;
  openAlertCount: number;
}

/** A hand-off of a schedule: who was on call, and who is. */
export interface HandOffFacts {
  id: string;
  name: string;
  teamId: string | null;
  timezone: string;
  from: readonly { id: string; name: string; email: string }[];
  to: readonly { id: string; name: string; email: string }[];
  source: 'layer' | 'override' | null;
  layer: { id: string; name: string } | null;
}

/** A suppression window that ends soon. */
export interface ExpiringFacts {
  id: string;
  name: string;
  reason: string | null;
  teamId: string | null;
}

/** The records against which conditions are evaluated; null for a record that does not exist. */
export interface ConditionFacts {
  alert: AlertFacts | null;
  client: { id: string; name: string; slug: string; externalId: string | null } | null;
  integration: { id: string; name: string; type: string } | null;
  incident: IncidentFacts | null;
  /** The alerts of the incident, for `alerts.any.*`; left out where no condition can name them. */
  alerts?: readonly AlertFacts[];
  /** Left out for events of alerts and incidents. */
  schedule?: HandOffFacts | null;
  suppression?: ExpiringFacts | null;
  /** RFC 3339 in UTC. */
  now: string;
}
