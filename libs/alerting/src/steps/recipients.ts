/** Finds the recipients of a step's targets when the step runs: members with their addresses, and members on call. */
import { uuidOf, type Channel, type SendTarget, type Tenant } from '@ams/contracts';
import type { NotifyTarget, StepParams } from '@ams/domain';
import { createHash } from 'node:crypto';
import {
  memberContactOf,
  onCallOf,
  type MemberContact,
  type OnCall,
  type Queries,
  type Shift,
} from '../schedules/on-call.js';

/** One address that a step notifies. */
export interface Recipient {
  /** Two recipients with the same key are the same recipient. */
  key: string;
  channel: Channel;
  /** The name that the API shows. */
  target: string;
  /** The address to which messages are sent. It is never shown. */
  destination: SendTarget;
  memberId: string | null;
  /** A sentence that says why the recipient is notified. */
  why: string;
  /** Why the recipient cannot be notified; null when it can. */
  unreachable: string | null;
  onCall: OnCall | null;
}

/** The reads that are needed to find recipients. */
export interface RecipientReads {
  member(tenant: Tenant, memberId: string): Promise<MemberContact | null>;
  onCall(tenant: Tenant, scheduleId: string, which: Shift, at: string): Promise<OnCall | null>;
}

export const recipientReads = (queries: Queries): RecipientReads => ({
  member: (tenant, memberId) => memberContactOf(queries, tenant, memberId),
  onCall: (tenant, scheduleId, which, at) => onCallOf(queries, tenant, scheduleId, which, at),
});

/** The tenant, and the workflow or the escalation policy that notifies. */
export type Notifier = Tenant & ({ workflowName: string } | { policyName: string });

const nameOf = (notifier: Notifier): string =>
  'policyName' in notifier
    ? `The escalation policy "${notifier.policyName}"`
    : `The workflow "${notifier.workflowName}"`;

/** One recipient for each address. Of two targets for the same person, the first counts. */
export async function recipientsOf(
  reads: RecipientReads,
  notifier: Notifier,
  targets: readonly NotifyTarget[],
  at: string,
): Promise<Recipient[]> {
  const found: Recipient[] = [];
  for (const target of targets) found.push(await recipientOf(reads, notifier, target, at));
  return distinct(found);
}

export const distinct = (found: readonly Recipient[]): Recipient[] =>
  found.filter((one, index) => found.findIndex((other) => other.key === one.key) === index);

async function recipientOf(
  reads: RecipientReads,
  notifier: Notifier,
  target: NotifyTarget,
  at: string,
): Promise<Recipient> {
  const because = (whom: string): string => `${nameOf(notifier)} notifies ${whom}.`;
  switch (target.type) {
    case 'email':
      return email(target.address, null, because('this address'));
    case 'channel':
      return channel(target, because('this channel'));
    case 'user':
      return member(reads, notifier, uuidOf('member', target.id), target.id, because('you'));
    case 'schedule':
      return scheduled(reads, notifier, target, at);
  }
}

async function scheduled(
  reads: RecipientReads,
  notifier: Notifier,
  { id, who = 'current' }: Extract<NotifyTarget, { type: 'schedule' }>,
  at: string,
): Promise<Recipient> {
  const onCall = await reads.onCall(notifier, id, who, at);
  if (!onCall) return unreachable(id, 'the schedule does not exist');
  const { memberId, scheduleName } = onCall;
  if (!memberId) return { ...unreachable(id, `nobody is on call in ${scheduleName}`), onCall };
  const role = who === 'next' ? 'You are next on call' : 'You are on call';
  return { ...(await member(reads, notifier, memberId, memberId, `${role} in "${scheduleName}".`)), onCall };
}

async function member(
  reads: RecipientReads,
  notifier: Notifier,
  id: string | null,
  key: string,
  why: string,
): Promise<Recipient> {
  const found = id === null ? null : await reads.member(notifier, id);
  if (!found) return unreachable(key, 'the member does not exist');
  const recipient = { ...email(found.email, found.name, why), memberId: found.id };
  return found.status === 'disabled' ? { ...recipient, unreachable: `${found.name} is disabled` } : recipient;
}

const email = (address: string, name: string | null, why: string): Recipient => ({
  key: `email:${address.toLowerCase()}`,
  channel: 'email',
  target: address,
  destination: { channel: 'email', address, name },
  memberId: null,
  why,
  unreachable: null,
  onCall: null,
});

export const unreachable = (key: string, reason: string): Recipient => ({
  ...email('', null, reason),
  key: `nobody:${key}`,
  unreachable: reason,
});

/** Only the host is shown: everybody who knows the URL of a chat can post there. */
function channel({ kind, url, secret }: Extract<NotifyTarget, { type: 'channel' }>, why: string): Recipient {
  const destination: SendTarget =
    kind === 'webhook' ? { channel: kind, url, secret, headers: {}, timeoutSeconds: 10 } : { channel: kind, url };
  return byUrl('channel', destination, why);
}

/** The recipient of a step that posts to a URL. */
export const webhookRecipient = (params: StepParams['webhook']): Recipient =>
  byUrl('webhook', { channel: 'webhook', ...params }, '');

const byUrl = (
  keyPrefix: 'channel' | 'webhook',
  destination: Extract<SendTarget, { url: string }>,
  why: string,
): Recipient => ({
  key: `${keyPrefix}:${createHash('sha256').update(destination.url).digest('base64url')}`,
  channel: destination.channel,
  target: new URL(destination.url).host,
  destination,
  memberId: null,
  why,
  unreachable: null,
  onCall: null,
});
