/** Whom the targets of a step mean when it runs: members by their addresses, and who is on call by the schedule as it is then. */
import { publicId, uuidOf, type Channel, type SendTarget } from '@ams/contracts';
import { overridesAround, resolvable, type StoredSchedule } from '@ams/alerting';
import { type Tx } from '@ams/database';
import { onCallAt, type NotifyTarget, type StepParams } from '@ams/domain';
import { createHash } from 'node:crypto';
import type { Run } from './run-record.js';

interface MemberRow {
  id: string;
  name: string;
  email: string;
  status: 'active' | 'invited' | 'disabled';
}

export interface OnCallNow {
  scheduleId: string;
  scheduleName: string;
  /** Null in a gap. */
  memberId: string | null;
  source: 'layer' | 'override' | null;
  layer: string | null;
  until: string | null;
}

/** One address that a step tells, and why. */
export interface Recipient {
  /** What makes two the same. */
  key: string;
  channel: Channel;
  /** As it is shown. */
  target: string;
  destination: SendTarget;
  memberId: string | null;
  /** Why the recipient gets it, in a sentence. */
  why: string;
  /** Why nobody can be told this way; null when somebody can. */
  unreachable: string | null;
  onCall: OnCallNow | null;
}

/** The tenant and the workflow that tells somebody. */
export type Telling = Pick<Run, 'organization_id' | 'environment' | 'workflow_name'>;

/** One recipient for each address at a time; of two targets that mean the same person the first counts. */
export async function recipientsOf(
  tx: Tx,
  run: Telling,
  targets: readonly NotifyTarget[],
  at: string,
): Promise<Recipient[]> {
  const found: Recipient[] = [];
  for (const target of targets) found.push(await recipientOf(tx, run, target, at));
  return found.filter((one, index) => found.findIndex((other) => other.key === one.key) === index);
}

async function recipientOf(tx: Tx, run: Telling, target: NotifyTarget, at: string): Promise<Recipient> {
  switch (target.type) {
    case 'email':
      return email(target.address, null, `The workflow "${run.workflow_name}" tells this address.`);
    case 'channel':
      return channel(target, run);
    case 'user':
      return member(tx, run, uuidOf('member', target.id), target.id, `The workflow "${run.workflow_name}" tells you.`);
    case 'schedule': {
      const onCall = await onCallOf(tx, run, target.id, target.who ?? 'current', at);
      if (!onCall) return unreachable(target.id, 'the schedule is not there');
      if (!onCall.memberId) return { ...unreachable(target.id, `nobody is on call in ${onCall.scheduleName}`), onCall };
      const role = target.who === 'next' ? 'You are next on call' : 'You are on call';
      return {
        ...(await member(tx, run, onCall.memberId, onCall.memberId, `${role} in "${onCall.scheduleName}".`)),
        onCall,
      };
    }
  }
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

const unreachable = (key: string, reason: string): Recipient => ({
  key: `nobody:${key}`,
  channel: 'email',
  target: '',
  destination: { channel: 'email', address: '', name: null },
  memberId: null,
  why: reason,
  unreachable: reason,
  onCall: null,
});

async function member(tx: Tx, run: Telling, id: string | null, shown: string, why: string): Promise<Recipient> {
  const [row] =
    id === null
      ? []
      : await tx.query<MemberRow>(
          'SELECT id, name, email, status FROM auth_views.members WHERE organization_id = $1 AND id = $2',
          [run.organization_id, id],
        );
  if (!row) return unreachable(shown, 'the member is not there');
  const notification = { ...email(row.email, row.name, why), memberId: row.id };
  return row.status === 'disabled' ? { ...notification, unreachable: `${row.name} is disabled` } : notification;
}

/** A chat's address lets everybody who knows it post there: it is not shown, and its host is. */
function channel(target: Extract<NotifyTarget, { type: 'channel' }>, run: Telling): Recipient {
  const { kind, url, secret } = target;
  const key = `channel:${createHash('sha256').update(url).digest('base64url')}`;
  const why = `The workflow "${run.workflow_name}" tells this channel.`;
  const destination =
    kind === 'webhook'
      ? ({ channel: kind, url, secret, headers: {}, timeoutSeconds: 10 } as const)
      : { channel: kind, url };
  return {
    key,
    channel: kind,
    target: new URL(url).host,
    destination,
    memberId: null,
    why,
    unreachable: null,
    onCall: null,
  };
}

export function webhookRecipient({ url, secret, headers, timeoutSeconds }: StepParams['webhook']): Recipient {
  const destination = { channel: 'webhook' as Channel & 'webhook', url, secret, headers, timeoutSeconds };
  return {
    key: `webhook:${createHash('sha256').update(url).digest('base64url')}`,
    channel: 'webhook',
    target: new URL(url).host,
    destination,
    memberId: null,
    why: '',
    unreachable: null,
    onCall: null,
  };
}

/** Who is on call by a schedule of the tenant at a time, or comes next; null when the schedule is not there. */
export async function onCallOf(
  tx: Tx,
  tenant: Pick<Run, 'organization_id' | 'environment'>,
  scheduleId: string,
  who: 'current' | 'next',
  at: string,
): Promise<OnCallNow | null> {
  const [schedule] = await tx.query<StoredSchedule>(
    'SELECT id, name, timezone, layers FROM resources_views.schedules WHERE organization_id = $1 AND environment = $2 AND id = $3',
    [tenant.organization_id, tenant.environment, uuidOf('schedule', scheduleId)],
  );
  if (!schedule) return null;
  const { shift: present, next } = onCallAt(resolvable(schedule, await overridesAround(tx, [schedule.id], at)), at);
  const shift = who === 'next' ? next : present;
  return {
    scheduleId: publicId('schedule', schedule.id),
    scheduleName: schedule.name,
    memberId: shift?.userId ?? null,
    source: shift?.source ?? null,
    layer: schedule.layers.find(({ id }) => id === shift?.layerId)?.name ?? null,
    until: shift?.endsAt ?? null,
  };
}

/** As answers show it. */
export interface ShownOnCall extends Omit<OnCallNow, 'memberId'> {
  userId: string | null;
}

export function shownOnCall(onCall: OnCallNow | null): ShownOnCall | null {
  if (!onCall) return null;
  const { memberId, ...shown } = onCall;
  return { ...shown, userId: publicId('member', memberId) };
}
