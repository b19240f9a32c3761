/** The ends of the messages of steps: the outcomes that records show, and runs that fail by them. */
import { uuidOf, type Principal, type WorkflowRun } from '@ams/contracts';
import { selectOf, type Tx } from '@ams/database';
import { messageOutcome, type MessageEnd } from '@ams/domain';
import type { NotificationEntity } from '../notifications/notification.entity.js';
import { WorkflowRunEntity, type KeptResult } from './workflow-run.entity.js';

/** A message in the detail of a step; an earlier release wrote other names. */
interface MadeMessage extends Record<string, unknown> {
  notificationId?: string;
  deliveryId?: string;
}

function madeMessages(detail: unknown): MadeMessage[] {
  if (typeof detail !== 'object' || detail === null) return [];
  const { notifications, deliveries } = detail as { notifications?: unknown; deliveries?: unknown };
  const made = notifications ?? deliveries;
  return Array.isArray(made) ? (made as MadeMessage[]) : [];
}

const uuidOfMessage = ({ notificationId, deliveryId }: MadeMessage): string | null =>
  uuidOf('notification', notificationId ?? deliveryId ?? '');

type Tenant = Pick<Principal, 'organizationId' | 'environment'>;

async function endsOf(
  tx: Tx,
  { organizationId, environment }: Tenant,
  messages: readonly MadeMessage[],
): Promise<Map<string, MessageEnd>> {
  const ids = [...new Set(messages.map(uuidOfMessage).filter((id) => id !== null))];
  if (ids.length === 0) return new Map();
  const rows = await tx.query<MessageEnd & { id: string }>(
    `SELECT id, status, reason FROM workflows.notifications
     WHERE organization_id = $1 AND environment = $2 AND id = ANY($3::uuid[])`,
    [organizationId, environment, ids],
  );
  return new Map(rows.map(({ id, ...end }) => [id, end]));
}

/** The ends of those messages that still have a record. */
const knownEnds = (messages: readonly MadeMessage[], ends: ReadonlyMap<string, MessageEnd>): MessageEnd[] =>
  messages.map((made) => ends.get(uuidOfMessage(made) ?? '')).filter((end) => end !== undefined);

/** The runs with the present states of their messages, and the outcomes of steps that follow from them. */
export async function withMessageEnds<Shown extends Pick<WorkflowRun, 'steps'>>(
  tx: Tx,
  tenant: Tenant,
  runs: readonly Shown[],
): Promise<Shown[]> {
  const all = runs.flatMap(({ steps }) => steps.flatMap(({ detail }) => madeMessages(detail)));
  const ends = await endsOf(tx, tenant, all);
  const shownStep = (step: Shown['steps'][number]): Shown['steps'][number] => {
    const made = madeMessages(step.detail);
    const known = knownEnds(made, ends);
    if (known.length === 0) return step;
    const notifications = made.map((one) => ({ ...one, ...ends.get(uuidOfMessage(one) ?? '') }));
    return { ...step, ...messageOutcome(known), detail: { ...(step.detail as object), notifications } };
  };
  return runs.map((run) => ({ ...run, steps: run.steps.map(shownStep) }));
}

/**
 * After a message has failed or was skipped, in the same transaction: the run fails when no message of the step was
 * sent and one has failed. Of the last two messages of a step that end at the same time, one finds the other's end,
 * because both lock the run.
 */
export async function failRunWithoutMessage(
  tx: Tx,
  { organizationId, environment, runId, stepId }: Pick<NotificationEntity, 'runId' | 'stepId'> & Tenant,
): Promise<void> {
  if (runId === null) return;
  const [run] = await tx.query<WorkflowRunEntity & { results: KeptResult[] }>(
    `SELECT ${selectOf(tx, WorkflowRunEntity, 'r')}, r.results FROM workflows.runs r
     WHERE r.id = $1 AND r.organization_id = $2 AND r.environment = $3 FOR UPDATE`,
    [runId, organizationId, environment],
  );
  const step = run?.steps.find(({ id }) => id === stepId);
  const messages = madeMessages(run?.results.find((kept) => kept.stepId === stepId)?.detail);
  if (!step || step.continueOnError || messages.length === 0) return;
  const { outcome, reason } = messageOutcome(
    knownEnds(messages, await endsOf(tx, { organizationId, environment }, messages)),
  );
  if (outcome !== 'failed') return;
  await tx.query(
    `UPDATE workflows.runs SET message_error = coalesce(message_error, $4),
       error = CASE WHEN status = 'completed' THEN $4 ELSE error END,
       status = CASE WHEN status = 'completed' THEN 'failed' ELSE status END
     WHERE id = $1 AND organization_id = $2 AND environment = $3`,
    [runId, organizationId, environment, reason ?? 'its messages could not be sent'],
  );
}
