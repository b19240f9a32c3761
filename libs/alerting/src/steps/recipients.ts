/** Finds the recipients of a step's targets when the step runs: members with their addresses, and members on call. */
import { publicId, uuidOf, type Alert, type Channel, type Destination, type Tenant } from '@ams/contracts';
import {
  addressName,
  isEmailAddress,
  mailRefusal,
  secretsFound,
  replacedInDestination,
  type EmailTarget,
  type MailFacts,
  type NotifyTarget,
  type StepParams,
} from '@ams/domain';
import { createHash } from 'node:crypto';
import { mailFactsOf } from '../members/mail-facts.js';
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
  destination: Destination;
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
  onCall(tenant: Tenant, scheduleId: string, which: Shift, at: string): Promise<OnCall[] | null>;
  /** What is known of each address. */
  mailFacts(tenant: Tenant, addresses: readonly string[]): Promise<ReadonlyMap<string, MailFacts>>;
}

export const recipientReads = (queries: Queries): RecipientReads => ({
  member: (tenant, memberId) => memberContactOf(queries, tenant, memberId),
  onCall: (tenant, scheduleId, which, at) => onCallOf(queries, tenant, scheduleId, which, at),
  mailFacts: (tenant, addresses) => mailFactsOf(queries, tenant, addresses),
});

/**
 * The tenant, and the workflow (its UUID) or the escalation policy (its public id) that notifies. Null: a message of no
 * workflow, or to the owners.
 */
export type Notifier = Tenant &
  ({ workflowId: string | null; workflowName: string } | { policyId: string | null; policyName: string });

/** The public id of the record whose secrets the targets have. */
const recordOf = (notifier: Notifier): string | null =>
  'policyName' in notifier ? notifier.policyId : publicId('workflow', notifier.workflowId);

const nameOf = (notifier: Notifier): string =>
  'policyName' in notifier
    ? `The escalation policy "${notifier.policyName}"`
    : `The workflow "${notifier.workflowName}"`;

/** The alert that an address may be taken from; null when the message is not about one. */
type NamesAddress = Pick<Alert, 'labels' | 'annotations'> | null;

/** One recipient for each address. Of two targets for the same person, the first counts. */
export async function recipientsOf(
  reads: RecipientReads,
  notifier: Notifier,
  targets: readonly NotifyTarget[],
  at: string,
  alert: NamesAddress = null,
): Promise<Recipient[]> {
  const found: Found[] = [];
  for (const target of targets) found.push(...(await recipientsOfTarget(reads, notifier, target, at, alert)));
  return distinct(await withoutRefused(reads, notifier, distinct(found)));
}

/** A recipient whose address was not checked yet. */
type Found = Recipient & { otherAddresses?: readonly string[] };

/**
 * Mail goes to members and to verified addresses only. When mail to the address of a member has stopped, the further
 * addresses of the member take its place; the one that was stopped stays in the list, with the reason.
 */
async function withoutRefused(
  reads: RecipientReads,
  notifier: Notifier,
  found: readonly Found[],
): Promise<Recipient[]> {
  const isMail = ({ channel, unreachable }: Found): boolean => channel === 'email' && unreachable === null;
  const addresses = found.filter(isMail).flatMap(({ target, otherAddresses = [] }) => [target, ...otherAddresses]);
  if (addresses.length === 0) return [...found];
  const facts = await reads.mailFacts(notifier, addresses);
  const refusalOf = ({ target, memberId }: Recipient): string | null => {
    const known = facts.get(target) ?? { isMember: false, address: null, domain: null };
    return mailRefusal({ ...known, isMember: known.isMember || memberId !== null });
  };
  return found.flatMap((one) => {
    const { otherAddresses = [], ...recipient } = one;
    const refusal = isMail(one) ? refusalOf(recipient) : null;
    if (refusal === null) return [recipient];
    const others = otherAddresses.map((address) => toOtherAddress(recipient, address));
    return [{ ...recipient, unreachable: refusal }, ...others.filter((other) => refusalOf(other) === null)];
  });
}

const toOtherAddress = (recipient: Recipient, address: string): Recipient => ({
  ...recipient,
  ...addressed(address, recipient.destination.channel === 'email' ? recipient.destination.name : null),
});

/** One entry for each person: the devices of members are told with their mail address. For answers of the API. */
export const withoutDevices = (found: readonly Recipient[]): Recipient[] =>
  found.filter(({ channel }) => channel !== 'push');

/** The first of each key. A level may have twenty thousand recipients, with all devices. */
export function distinct<R extends Recipient>(found: readonly R[]): R[] {
  const byKey = new Map<string, R>();
  for (const recipient of found) if (!byKey.has(recipient.key)) byKey.set(recipient.key, recipient);
  return [...byKey.values()];
}

async function recipientsOfTarget(
  reads: RecipientReads,
  notifier: Notifier,
  target: NotifyTarget,
  at: string,
  alert: NamesAddress,
): Promise<Found[]> {
  const because = (whom: string): string => `${nameOf(notifier)} notifies ${whom}.`;
  switch (target.type) {
    case 'email':
      return [
        'address' in target ? email(target.address, null, because('this address')) : named(target, alert, because),
      ];
    case 'channel':
      return [channel(target, because('this channel'), recordOf(notifier))];
    case 'user':
      return member(reads, notifier, uuidOf('member', target.id), target.id, because('you'));
    case 'schedule':
      return scheduled(reads, notifier, target, at);
  }
}

/** The address that a label or an annotation of the alert has. Own properties only, as in conditions. */
function named(
  { addressFrom }: Extract<EmailTarget, { addressFrom: string }>,
  alert: NamesAddress,
  because: (whom: string) => string,
): Recipient {
  if (!alert) return unreachable(addressFrom, `there is no alert that could have ${addressFrom}`);
  const bag = addressFrom.startsWith('labels.') ? 'labels' : 'annotations';
  const key = addressFrom.slice(bag.length + 1);
  const address = Object.hasOwn(alert[bag], key) ? alert[bag][key]?.trim() : undefined;
  if (!address) return unreachable(addressFrom, `the alert has no ${addressFrom}`);
  return isEmailAddress(address)
    ? email(address, null, because(`the address in ${addressFrom}`))
    : unreachable(addressFrom, `${addressFrom} of the alert is not an e-mail address`);
}

/** Everybody who is on call. */
async function scheduled(
  reads: RecipientReads,
  notifier: Notifier,
  { id, who = 'current' }: Extract<NotifyTarget, { type: 'schedule' }>,
  at: string,
): Promise<Found[]> {
  const everybody = await reads.onCall(notifier, id, who, at);
  if (!everybody) return [unreachable(id, 'the schedule does not exist')];
  const role = who === 'next' ? 'You are next on call' : 'You are on call';
  const found: Found[] = [];
  for (const onCall of everybody) {
    const { memberId, scheduleName } = onCall;
    const recipients = memberId
      ? await member(reads, notifier, memberId, memberId, `${role} in "${scheduleName}".`)
      : [unreachable(id, `nobody is on call in ${scheduleName}`)];
    found.push(...recipients.map((recipient) => ({ ...recipient, onCall })));
  }
  return found;
}

/** By mail, and on every device at the same time. */
async function member(
  reads: RecipientReads,
  notifier: Notifier,
  id: string | null,
  key: string,
  why: string,
): Promise<Found[]> {
  const found = id === null ? null : await reads.member(notifier, id);
  if (!found) return [unreachable(key, 'the member does not exist')];
  const mail = { ...email(found.email, found.name, why), memberId: found.id };
  // Nobody has confirmed the further addresses of a member who is invited only.
  const { status, otherAddresses } = found;
  return status === 'disabled'
    ? [{ ...mail, unreachable: `${found.name} is disabled` }]
    : [
        status === 'active' ? { ...mail, otherAddresses } : mail,
        ...found.devices.map((device) => deviceRecipient(found, device, why)),
      ];
}

export const deviceRecipient = (
  { id: memberId, name }: Pick<MemberContact, 'id' | 'name'>,
  device: MemberContact['devices'][number],
  why: string,
): Recipient => ({
  key: `push:${device.id}`,
  channel: 'push',
  target: device.name,
  destination: { channel: 'push', deviceId: device.id, name },
  memberId,
  why,
  unreachable: null,
  onCall: null,
});

const addressed = (address: string, name: string | null): Pick<Recipient, 'key' | 'target' | 'destination'> => ({
  key: `email:${address.toLowerCase()}`,
  target: address,
  destination: { channel: 'email', address, name },
});

const email = (address: string, name: string | null, why: string): Recipient => ({
  ...addressed(address, name),
  channel: 'email',
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
function channel(
  { kind, url, secret }: Extract<NotifyTarget, { type: 'channel' }>,
  why: string,
  record: string | null,
): Recipient {
  const destination: Destination =
    kind === 'webhook' ? { channel: kind, url, secret, headers: {}, timeoutSeconds: 10 } : { channel: kind, url };
  return byUrl('channel', destination, why, record);
}

/** The recipient of a step that posts to a URL. */
export const webhookRecipient = (params: StepParams['webhook'], workflowId: string): Recipient =>
  byUrl('webhook', { channel: 'webhook', ...params }, '', publicId('workflow', workflowId));

const hasSealed = (destination: Destination): boolean =>
  secretsFound((replace) => replacedInDestination(destination, replace)).sealed > 0;

const byUrl = (
  keyPrefix: 'channel' | 'webhook',
  destination: Extract<Destination, { url: string }>,
  why: string,
  record: string | null,
): Recipient => ({
  key: `${keyPrefix}:${createHash('sha256').update(addressName(destination.url)).digest('base64url')}`,
  channel: destination.channel,
  target: new URL(destination.url).host,
  destination: record !== null && hasSealed(destination) ? { ...destination, sealedFor: record } : destination,
  memberId: null,
  why,
  unreachable: null,
  onCall: null,
});
