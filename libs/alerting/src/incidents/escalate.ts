/**
 * Lets the escalation of an incident run as far as it is due: finds the recipients of each level, makes its page and
 * stores who is told. The incident is locked. The pipeline and a simulation both run this.
 */
import { publicId, type Actor } from '@ams/contracts';
import {
  catchAllBegun,
  changedIncident,
  exhausted,
  levelTold,
  nextStep,
  presentLevelId,
  plusSeconds,
  toldAlso,
  type EscalationStage,
  type IncidentState,
  type Notice,
  type PolicyTarget,
  type Told,
} from '@ams/domain';
import { levelRecipients } from '../paging/level-recipients.js';
import type { Recipient } from '../steps/recipients.js';
import type { IncidentChange } from './incident-change.js';
import {
  canBeTold,
  newPage,
  pageNote,
  type IncidentPage,
  type PageContent,
  type PageRecipient,
} from './incident-page.js';
import type { IncidentRecord } from './incident-record.js';
import type { PagingPolicy, PagingReads } from './paging-reads.js';

export const escalationActor: Actor = { type: 'service', id: null, name: 'escalation' };

/** What an escalation changes. */
export interface EscalationEffects {
  changeIncident(record: IncidentRecord, next: IncidentState, change: IncidentChange): void;
  /** Stores the page. Its notifications are sent when the transaction is committed. */
  addPage(page: IncidentPage): void;
}

/** More than the steps of the longest policy and of the longest catch-all policy, in which nobody can be told. */
const maxSteps = 500;

/** Tells every level that is due at this time. A level whose targets come to nobody is passed at once. */
export async function tellDue(
  effects: EscalationEffects,
  reads: PagingReads,
  record: IncidentRecord,
  at: string,
): Promise<void> {
  for (let step = 0; step < maxSteps && isLevelDue(record.state, at); step++)
    await tellNext(effects, reads, record, at);
}

export const isLevelDue = ({ status, paging, escalation: { state, nextAt } }: IncidentState, at: string): boolean =>
  status === 'triggered' && paging !== null && state === 'escalating' && nextAt !== null && nextAt <= at;

async function tellNext(
  effects: EscalationEffects,
  reads: PagingReads,
  record: IncidentRecord,
  at: string,
): Promise<void> {
  const { state } = record;
  const { escalation, paging } = state;
  if (!paging) return;
  const policy = await policyOf(reads, record, paging.stage);
  const next = nextStep(escalation, paging, policy);
  if (next.kind === 'level' && policy) {
    const level = policy.levels.find(({ id }) => id === next.levelIds.at(-1));
    const recipients = await recipientsFor(reads, record, policy, level?.targets ?? [], at);
    const { page, told } = makePage(record, pageOfLevel(policy, paging.stage, next), recipients, at);
    const nextAt = told.length > 0 ? plusSeconds(at, level?.escalateAfterSeconds ?? 0) : at;
    return keep(effects, record, page, { ...state, ...levelTold(state, next, told, nextAt) }, at);
  }
  if (next.kind === 'catchAll') {
    const { catchAllPolicyId } = await reads.settings(record);
    // The stage has no entry of the timeline: its first page has one.
    if (catchAllPolicyId !== null && catchAllPolicyId !== state.policyId) {
      record.state = { ...state, ...catchAllBegun(state) };
      return;
    }
  }
  const owners = (await reads.owners(record)).map(({ id }): PolicyTarget => ({
    type: 'user',
    id: publicId('member', id),
  }));
  const recipients = await recipientsFor(reads, record, null, owners, at);
  const why = 'Nobody else is left to tell, so the owners of the organization are told.';
  const content = {
    kind: 'owners',
    stage: 'owners',
    round: 1,
    level: 1,
    policyId: null,
    policyName: null,
    why,
  } as const;
  const { page, told } = makePage(record, content, recipients, at);
  keep(effects, record, page, { ...state, ...exhausted(state, told) }, at);
}

/** Tells whoever has acknowledged; if that is nobody who can be told, the people of the present level. */
export async function tellNotice(
  effects: EscalationEffects,
  reads: PagingReads,
  record: IncidentRecord,
  notice: Notice,
  at: string,
): Promise<void> {
  const { state } = record;
  const { paging, escalation } = state;
  if (!paging) return;
  const { round, level } = escalation;
  const content = { kind: notice.kind, stage: paging.stage, round, level, policyId: state.policyId };
  const policy = await policyOf(reads, record, paging.stage);
  for (const targets of targetsOfNotice(record, policy, notice)) {
    const recipients = await recipientsFor(reads, record, policy, targets, at);
    if (!recipients.some(canBeTold)) continue;
    const why = whyNotice(notice, state);
    const { page, told } = makePage(record, { ...content, policyName: null, why }, recipients, at);
    return keep(effects, record, page, { ...state, escalation: toldAlso(escalation, told) }, at);
  }
}

function whyNotice({ kind, alerts }: Notice, { severity, acknowledgedBy }: IncidentState): string {
  const yours = acknowledgedBy ? 'the incident that you acknowledged' : 'the incident that you were told about';
  switch (kind) {
    case 'rise':
      return `The severity of ${yours} has risen to ${severity}.`;
    case 'joined':
      return `${alerts === 1 ? 'An alert has' : `${alerts} alerts have`} joined ${yours}.`;
    case 'flapping':
      return `An alert of ${yours} fires and resolves again and again. It pages nobody until this is over.`;
    case 'flappingOver':
      return `The alert of ${yours} no longer fires and resolves again and again.`;
  }
}

/** Those to try, one after another. */
function targetsOfNotice(
  record: IncidentRecord,
  policy: PagingPolicy | null,
  { kind }: Notice,
): (readonly PolicyTarget[])[] {
  const { acknowledgedBy, escalation } = record.state;
  const users = (ids: readonly (string | null)[]): PolicyTarget[] =>
    [...new Set(ids)].filter((id) => id !== null).map((id) => ({ type: 'user', id }));
  const person = acknowledgedBy?.type === 'user' ? [acknowledgedBy.id] : [];
  const told = escalation.told.map(({ userId }) => userId);
  const levels = policy?.levels ?? [];
  const present = presentLevelId(record.state, levels) ?? levels[0]?.id;
  const level = levels.find(({ id }) => id === present)?.targets ?? [];
  return kind === 'flapping' || kind === 'flappingOver'
    ? [users([...person, ...told]), level]
    : [users(person), level, users(told)];
}

async function policyOf(
  reads: PagingReads,
  record: IncidentRecord,
  stage: EscalationStage,
): Promise<PagingPolicy | null> {
  if (stage === 'owners') return null;
  const id = stage === 'policy' ? record.state.policyId : (await reads.settings(record)).catchAllPolicyId;
  return id === null ? null : reads.policy(record, id);
}

function pageOfLevel(
  policy: PagingPolicy,
  stage: EscalationStage,
  { round, level }: { round: number; level: number },
): PageContent {
  const name =
    stage === 'catchAll' ? `the catch-all policy "${policy.name}"` : `the escalation policy "${policy.name}"`;
  const again = round > 1 ? ` for the ${round}. time` : '';
  const why = `Level ${level} of ${name} is told${again}.`;
  return { kind: 'level', stage, round, level, policyId: policy.id, policyName: policy.name, why };
}

const recipientsFor = (
  reads: PagingReads,
  { organizationId, environment }: IncidentRecord,
  policy: PagingPolicy | null,
  targets: readonly PolicyTarget[],
  at: string,
): Promise<Recipient[]> =>
  levelRecipients(
    reads,
    { organizationId, environment, policyId: policy?.id ?? null, policyName: policy?.name ?? 'owners' },
    targets,
    at,
  );

function makePage(
  record: IncidentRecord,
  content: PageContent,
  found: readonly Recipient[],
  at: string,
): { page: IncidentPage; told: Told[] } {
  const recipients = found.map((recipient) => ({
    ...recipient,
    why: content.kind === 'level' ? `${recipient.why} ${content.why}` : content.why,
  }));
  const page = newPage(record, content, recipients, at);
  const told = firstOfEach(page.recipients.filter(canBeTold)).map(({ memberId, notificationId }) => ({
    userId: publicId('member', memberId),
    at,
    notificationId: publicId('notification', notificationId),
  }));
  return { page, told };
}

/** A member with devices is told once, and the entry names the mail. */
function firstOfEach(recipients: readonly PageRecipient[]): PageRecipient[] {
  const seen = new Set<string>();
  return recipients.filter(({ memberId }) => {
    if (memberId === null) return true;
    const isFirst = !seen.has(memberId);
    seen.add(memberId);
    return isFirst;
  });
}

/** One entry of the timeline for each page. */
function keep(
  effects: EscalationEffects,
  record: IncidentRecord,
  page: IncidentPage,
  next: IncidentState,
  at: string,
): void {
  const { incident, changes } = changedIncident(record.state, 'incident.paged', next);
  effects.changeIncident(record, incident, {
    type: 'incident.paged',
    changes,
    actor: escalationActor,
    cause: { type: 'incident', id: publicId('incident', record.id) },
    at,
    note: pageNote(page),
    pageId: page.id,
  });
  effects.addPage(page);
}
