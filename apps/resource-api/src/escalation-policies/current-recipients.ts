/** Who would be told now by a policy: found by the functions that page. */
import { levelRecipients, policyReads, withoutDevices, type Recipient } from '@ams/alerting';
import {
  publicId,
  type CurrentLevel,
  type CurrentRecipient,
  type CurrentRecipients,
  type Tenant,
} from '@ams/contracts';
import type { Tx } from '@ams/database';
import type { EscalationPolicyEntity } from './escalation-policy.entity.js';

export async function currentRecipients(
  tx: Tx,
  { organizationId, environment }: Tenant,
  { id, name, levels }: EscalationPolicyEntity,
  at: string,
): Promise<CurrentRecipients> {
  const reads = policyReads(tx);
  const shown: CurrentLevel[] = [];
  let afterSeconds = 0;
  const policyId = publicId('escalationPolicy', id);
  const notifier = { organizationId, environment, policyId, policyName: name };
  for (const [index, level] of levels.entries()) {
    const found = await levelRecipients(reads, notifier, level.targets, at);
    shown.push({
      id: level.id,
      level: index + 1,
      afterSeconds,
      recipients: withoutDevices(found).map(recipientRecord),
      isEmpty: found.every(({ unreachable }) => unreachable !== null),
    });
    afterSeconds += level.escalateAfterSeconds;
  }
  return { policyId, at, levels: shown };
}

const recipientRecord = ({ channel, target, destination, ...recipient }: Recipient): CurrentRecipient => ({
  channel,
  target,
  userId: publicId('member', recipient.memberId),
  userName: recipient.memberId !== null && destination.channel === 'email' ? destination.name : null,
  scheduleId: recipient.onCall?.scheduleId ?? null,
  scheduleName: recipient.onCall?.scheduleName ?? null,
  until: recipient.onCall?.until ?? null,
  why: recipient.why,
  unreachable: recipient.unreachable,
});
