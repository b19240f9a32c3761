/**
 * The escalation of an incident, as pure decisions: who is asked next, when, and what ends it. An incident has at most
 * one escalation. The caller locks the incident, finds the recipients of a level and stores the result.
 */
import type { PolicyLevel } from './policy.js';

/**
 * `escalating`: a level is due at `nextAt`. `waiting`: somebody has acknowledged; it begins again at `nextAt`, if that
 * is a time. `paused`: no alert of the incident fires. `stopped`: resolved, or the incident pages nobody. `exhausted`:
 * everybody was told, and nobody has acknowledged.
 */
export const escalationStates = ['escalating', 'waiting', 'paused', 'stopped', 'exhausted'] as const;

export type EscalationState = (typeof escalationStates)[number];

/** One message to one recipient. Ids are public ids; `userId` is null for a channel or an address. */
export interface Told {
  userId: string | null;
  at: string;
  notificationId: string;
}

/** Times are RFC 3339 in UTC with milliseconds. */
export interface Escalation {
  state: EscalationState;
  /** How often the policy has begun with its first level. */
  episode: number;
  round: number;
  /** How many levels of the round were told, those that were passed included; 0 before the first one. */
  level: number;
  nextAt: string | null;
  /** In this episode, oldest first. */
  told: Told[];
}

/** Whose levels are told. After those of the policy come those of the catch-all policy, then the owners. */
export type EscalationStage = 'policy' | 'catchAll' | 'owners';

/** What only the decisions read. An incident that pages nobody has none. */
export interface Paging {
  stage: EscalationStage;
  /** Whether a level of this round had somebody who can be told. */
  reached: boolean;
  /**
   * The ids of the levels of this round that were told, so that none is left out or told twice when the policy changes.
   * An earlier release has stored none, or too few: then those are meant that the policy has first.
   */
  levelIds?: readonly string[];
  /** While the escalation is paused: the milliseconds that were left. */
  remainingMs: number | null;
  /** Alerts that joined while the incident was acknowledged: when it was told last, and how many were not told. */
  joined: { toldAt: string; untold: number } | null;
  /** While an alert flaps: when the incident has been quiet for long enough. */
  flappingUntil: string | null;
  /** Since when the acknowledged alerts of the incident should fire again; null: they need not. */
  refireAt: string | null;
  /** When a level was told last, without the first one of the episode. An earlier release has stored none. */
  toldAt?: string | null;
}

export interface Escalated {
  escalation: Escalation;
  /** Null: the incident pages nobody. */
  paging: Paging | null;
}

export const noEscalation: Escalation = {
  state: 'stopped',
  episode: 0,
  round: 0,
  level: 0,
  nextAt: null,
  told: [],
};

export const newPaging: Paging = {
  stage: 'policy',
  reached: false,
  levelIds: [],
  remainingMs: null,
  joined: null,
  flappingUntil: null,
  refireAt: null,
};

/** At most this many entries of `told` are kept, the newest ones. */
const maxTold = 200;

/** The newest recipients are kept. */
export const toldAlso = (escalation: Escalation, told: readonly Told[]): Escalation => ({
  ...escalation,
  told: [...escalation.told, ...told].slice(-maxTold),
});

const plusMs = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString();
export const plusSeconds = (at: string, seconds: number): string => plusMs(at, seconds * 1000);

/** The first level is due at once. */
export function begun({ escalation, paging }: Escalated, at: string): Escalated {
  if (!paging) return { escalation: { ...escalation, state: 'stopped', nextAt: null }, paging };
  return {
    escalation: { state: 'escalating', episode: escalation.episode + 1, round: 1, level: 0, nextAt: at, told: [] },
    paging: { ...newPaging, flappingUntil: paging.flappingUntil, refireAt: paging.refireAt },
  };
}

/** `until` is when the acknowledgement ends; null: it does not end by itself. */
export const handled = ({ escalation, paging }: Escalated, until: string | null): Escalated => ({
  escalation: { ...escalation, state: paging || until !== null ? 'waiting' : 'stopped', nextAt: until },
  paging: paging && { ...paging, remainingMs: null, joined: null, refireAt: null },
});

export const stopped = ({ escalation, paging }: Escalated): Escalated => ({
  escalation: { ...escalation, state: 'stopped', nextAt: null },
  paging: paging && { ...paging, remainingMs: null, joined: null, flappingUntil: null, refireAt: null },
});

export function paused({ escalation, paging }: Escalated, at: string): Escalated {
  if (!paging || escalation.state !== 'escalating' || escalation.nextAt === null) return { escalation, paging };
  const remainingMs = Math.max(0, Date.parse(escalation.nextAt) - Date.parse(at));
  return { escalation: { ...escalation, state: 'paused', nextAt: null }, paging: { ...paging, remainingMs } };
}

/** It goes on where it was. */
export function resumed({ escalation, paging }: Escalated, at: string): Escalated {
  if (!paging || escalation.state !== 'paused') return { escalation, paging };
  const nextAt = plusMs(at, paging.remainingMs ?? 0);
  return { escalation: { ...escalation, state: 'escalating', nextAt }, paging: { ...paging, remainingMs: null } };
}

// --- Levels ---------------------------------------------------------------------------------------------------------

/** The message that is due. */
export type NextStep =
  | { kind: 'level'; round: number; level: number; levelIds: readonly string[] }
  /** The policy has ended: the catch-all policy begins, with its first level. */
  | { kind: 'catchAll' }
  | { kind: 'owners' };

type Levels = readonly Pick<PolicyLevel, 'id'>[];

function idsOfRound({ level }: Pick<Escalation, 'level'>, { levelIds }: Pick<Paging, 'levelIds'>, levels: Levels) {
  return levelIds?.length === level ? levelIds : levels.slice(0, level).map(({ id }) => id);
}

/** The id of the level that was told last; undefined before the first one. */
export const presentLevelId = ({ escalation, paging }: Escalated, levels: Levels): string | undefined =>
  paging ? idsOfRound(escalation, paging, levels).at(-1) : undefined;

/**
 * The step after the level that was told last: the first level that was not told in this round. `levelIds` are those
 * of its round, and it is the last of them. `policy` is that of the stage, and null when it does not exist. A further
 * round would reach nobody if the round before reached nobody.
 */
export function nextStep(
  { round, level }: Pick<Escalation, 'round' | 'level'>,
  { stage, reached, levelIds }: Pick<Paging, 'stage' | 'reached' | 'levelIds'>,
  policy: { levels: Levels; repeat: number } | null,
): NextStep {
  if (stage === 'owners') return { kind: 'owners' };
  const [first] = policy?.levels ?? [];
  if (policy && first) {
    const told = idsOfRound({ level }, { levelIds }, policy.levels);
    const next = policy.levels.find(({ id }) => !told.includes(id));
    if (next) return { kind: 'level', round, level: level + 1, levelIds: [...told, next.id] };
    if (reached && round <= policy.repeat) return { kind: 'level', round: round + 1, level: 1, levelIds: [first.id] };
  }
  return stage === 'policy' ? { kind: 'catchAll' } : { kind: 'owners' };
}

/** `nextAt`: when the next level is due. A level that reaches nobody is passed at once. */
export function levelTold(
  { escalation, paging }: Escalated,
  { round, level, levelIds }: { round: number; level: number; levelIds: readonly string[] },
  told: readonly Told[],
  nextAt: string,
): Escalated {
  const isFirst = level === 1;
  const toldAt = isFirst && round === 1 && paging?.stage === 'policy' ? null : told[0]?.at;
  return {
    escalation: { ...escalation, round, level, nextAt, told: [...escalation.told, ...told].slice(-maxTold) },
    paging: paging && {
      ...paging,
      levelIds,
      reached: told.length > 0 || (!isFirst && paging.reached),
      toldAt: toldAt ?? paging.toldAt ?? null,
    },
  };
}

/** The levels of the catch-all policy are due. */
export const catchAllBegun = ({ escalation, paging }: Escalated): Escalated => ({
  escalation: { ...escalation, round: 1, level: 0 },
  paging: paging && { ...paging, stage: 'catchAll', reached: false, levelIds: [] },
});

/** The owners were told last: nobody else is left. */
export const exhausted = ({ escalation, paging }: Escalated, told: readonly Told[]): Escalated => ({
  escalation: {
    ...escalation,
    state: 'exhausted',
    nextAt: null,
    told: [...escalation.told, ...told].slice(-maxTold),
  },
  paging: paging && { ...paging, stage: 'owners', toldAt: told[0]?.at ?? paging.toldAt ?? null },
});

/** Two people who ask for the next level within this time mean the same level. */
const sameMomentSeconds = 10;

/** Whether a level was told at this moment. The first level of an episode does not count: nobody asks for it. */
export const wasJustTold = ({ toldAt }: Pick<Paging, 'toldAt'>, at: string): boolean =>
  typeof toldAt === 'string' && Date.parse(at) < Date.parse(toldAt) + sameMomentSeconds * 1000;

// --- Alerts that join an acknowledged incident ------------------------------------------------------------------------

/** Alerts that join are told at most this often. */
export const joinedEverySeconds = 300;

/** The first alerts are told at once, later ones together. `tellNow` is how many alerts the message is about. */
export function alertsJoined(paging: Paging, added: number, at: string): { paging: Paging; tellNow: number } {
  const { joined } = paging;
  const untold = (joined?.untold ?? 0) + added;
  if (untold === 0) return { paging, tellNow: 0 };
  const isEarly = joined !== null && Date.parse(at) < Date.parse(joined.toldAt) + joinedEverySeconds * 1000;
  return isEarly
    ? { paging: { ...paging, joined: { ...joined, untold } }, tellNow: 0 }
    : { paging: { ...paging, joined: { toldAt: at, untold: 0 } }, tellNow: untold };
}

// --- Time -------------------------------------------------------------------------------------------------------------

/** When the incident must be looked at again; null: only when something changes. */
export function dueAt({ escalation, paging }: Escalated): string | null {
  const { state, nextAt } = escalation;
  const joined =
    paging?.joined && paging.joined.untold > 0 ? plusSeconds(paging.joined.toldAt, joinedEverySeconds) : null;
  const times = [
    state === 'escalating' || state === 'waiting' ? nextAt : null,
    joined,
    paging?.flappingUntil ?? null,
    paging?.refireAt ?? null,
  ];
  // Times of this form are in the order of their texts.
  return times.filter((time) => time !== null).sort()[0] ?? null;
}
