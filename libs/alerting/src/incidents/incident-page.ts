/** Messages of incidents to people: one page for each level that is told, and for each notice. */
import { derivedUuid, type Tenant } from '@ams/contracts';
import type { EscalationStage, Notice } from '@ams/domain';
import type { Recipient } from '../steps/recipients.js';
import type { IncidentRecord } from './incident-record.js';

export type PageKind = 'level' | 'owners' | Notice['kind'];

/** A recipient, and the notification (UUID) that tells it. */
export interface PageRecipient extends Recipient {
  notificationId: string;
}

/** Ids are UUIDs; `policyId` is a public id. */
export interface IncidentPage extends Tenant {
  id: string;
  incidentId: string;
  /** The alert that opened the incident, or opened it again. */
  alertId: string | null;
  kind: PageKind;
  stage: EscalationStage;
  episode: number;
  round: number;
  level: number;
  policyId: string | null;
  policyName: string | null;
  /** Why these recipients are told, as a sentence. */
  why: string;
  recipients: PageRecipient[];
  createdAt: string;
}

export type PageContent = Pick<IncidentPage, 'kind' | 'stage' | 'round' | 'level' | 'policyId' | 'policyName' | 'why'>;

/**
 * The id of a page of a level depends on the alert that opened the incident and on the level. If the database loses its
 * last transactions and the incident is opened again, the page has the same id, so a receiver recognizes it.
 */
export function newPage(
  { id: incidentId, organizationId, environment, openedBy, workflowId, state }: IncidentRecord,
  content: PageContent,
  recipients: readonly Recipient[],
  at: string,
): IncidentPage {
  const { kind, stage, round, level } = content;
  const { episode } = state.escalation;
  const parts =
    kind === 'level' || kind === 'owners'
      ? [openedBy ?? incidentId, workflowId ?? '', kind, stage, episode, round, level]
      : [incidentId, kind, state.version, at];
  const id = derivedUuid(Date.parse(state.triggeredAt), ...parts.map(String));
  return {
    id,
    incidentId,
    organizationId,
    environment,
    alertId: openedBy,
    episode,
    ...content,
    recipients: recipients.map((recipient) => ({
      ...recipient,
      notificationId: derivedUuid(Date.parse(at), id, recipient.key),
    })),
    createdAt: at,
  };
}

export const canBeTold = ({ unreachable }: Recipient): boolean => unreachable === null;

/** The page as the timeline of its incident says it. */
export function pageNote({ why, recipients }: Pick<IncidentPage, 'why' | 'recipients'>): string {
  const names = recipients.filter(canBeTold).map(({ destination, target }) => nameOf(destination) ?? target);
  const told = [...new Set(names)];
  const heading = why.replace(/\.$/, '');
  if (told.length > 0) return `${heading}: ${told.join(', ')}.`.slice(0, maxNote);
  const reasons = [...new Set(recipients.map(({ unreachable }) => unreachable))];
  return `${heading}: nobody can be told${reasons.length > 0 ? ` (${reasons.join('; ')})` : ''}.`.slice(0, maxNote);
}

const maxNote = 4000;

/** Of a person, who may be told in several ways. */
const nameOf = (destination: Recipient['destination']): string | null =>
  destination.channel === 'email' || destination.channel === 'push' ? destination.name : null;
