/** The types of audit entries, as the filter offers them, and as words. */
import { texts } from '../../texts/texts.js';

/** Each use of a key is an entry too; these are the changes, and what concerns signing in. */
export const auditTypes = [
  'alert.acknowledged',
  'alert.assigned',
  'alert.noted',
  'alert.resolved',
  'alert.unacknowledged',
  'api_key.created',
  'api_key.revoked',
  'api_key.used',
  'client.created',
  'client.deleted',
  'client.updated',
  'device.added',
  'device.ended',
  'device.removed',
  'device.updated',
  'escalation_policy.created',
  'escalation_policy.deleted',
  'escalation_policy.updated',
  'integration.created',
  'integration.deleted',
  'integration.token_rotated',
  'integration.updated',
  'invitation.accepted',
  'invitation.sent',
  'mail_recipient.created',
  'mail_recipient.deleted',
  'mail_recipient.link_sent',
  'mail_recipient.stopped',
  'mail_recipient.verified',
  'member.authenticator_added',
  'member.authenticator_removed',
  'member.created',
  'member.password_changed',
  'member.recovery_codes_renewed',
  'member.sign_in_failed',
  'member.signed_in',
  'member.signed_out',
  'member.updated',
  'organization.updated',
  'passkey.created',
  'passkey.deleted',
  'schedule.created',
  'schedule.deleted',
  'schedule.override_created',
  'schedule.override_deleted',
  'schedule.updated',
  'session.ended',
  'suppression_window.created',
  'suppression_window.deleted',
  'suppression_window.updated',
  'team.created',
  'team.deleted',
  'team.updated',
  'workflow.created',
  'workflow.deleted',
  'workflow.disabled',
  'workflow.enabled',
  'workflow.updated',
] as const;

/** `suppression_window.updated` as `Suppression window updated`; types that are not known here, too. */
export function typeText(type: string): string {
  const [noun = '', verb = ''] = type.split('.', 2);
  const known = texts.auditLog.nouns[noun] ?? sentence(noun);
  return texts.auditLog.typeText(known, verb.replaceAll('_', ' ')).trim();
}

const sentence = (word: string): string => {
  const words = word.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/** A value of a change as text: words as they are, anything else as JSON. */
export function valueText(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

/** The path of a record's page, for kinds that have one. */
export function pageOf(type: string, id: string): string | null {
  switch (type) {
    case 'integration':
      return `/integrations/${id}`;
    case 'client':
      return `/clients/${id}`;
    case 'alert':
      return `/alerts?alert=${id}`;
    case 'member':
      return `/settings/members?member=${id}`;
    case 'api_key':
      return `/settings/api-keys?key=${id}`;
    default:
      return null;
  }
}
