/**
 * Escalation policies: levels of targets. A page begins at the first level and goes to the next one when nobody has
 * acknowledged in time. All levels are repeated as often as `repeat` says; then the catch-all policy follows.
 *
 * A policy is validated as a whole before it is saved and stored with every field filled. The schemas describe the
 * request form; the types are those of the stored form.
 */
import { Type, type Static } from '@sinclair/typebox';
import { faultsOf, isObject, ownValue, type SettingsFault } from '../validation/check.js';
import { checkOf, filled, uniqueBy } from '../validation/schema-check.js';
import { closedObject, optionalOr, orNull, textOfForm, withRule } from '../validation/schema.js';
import {
  channelTarget,
  emailTarget,
  reference,
  scheduleTarget,
  userTarget,
  type NotifyTarget,
} from '../workflows/workflow-schema.js';

export const policyLimits = {
  levels: 20,
  /** Of one level. */
  targets: 20,
  /** Characters of a level's id. */
  levelId: 64,
  /** Seven days. */
  escalateAfterSeconds: 604_800,
  repeat: 9,
  /** From a minute to seven days. */
  ackTimeoutSeconds: { min: 60, max: 604_800 },
} as const;

const teamTarget = closedObject(
  { type: Type.Literal('team'), id: reference('team') },
  { $id: 'TeamTarget', description: 'Every member of the team, managers and responders.' },
);

export type PolicyTarget = NotifyTarget | Static<typeof teamTarget>;

const levelSchema = closedObject(
  {
    id: Type.Optional(
      textOfForm('^[A-Za-z0-9_-]+$', 'must consist of letters, digits, - and _', {
        maxLength: policyLimits.levelId,
        description: 'Unique in the policy. The service creates the id when it is left out.',
      }),
    ),
    targets: Type.Array(Type.Union([userTarget, scheduleTarget, teamTarget, emailTarget, channelTarget]), {
      minItems: 1,
      maxItems: policyLimits.targets,
    }),
    escalateAfterSeconds: optionalOr(
      600,
      Type.Integer({
        minimum: 1,
        maximum: policyLimits.escalateAfterSeconds,
        description: 'The time for an acknowledgement. Then the next level is told. Default: 600.',
      }),
    ),
  },
  { $id: 'PolicyLevel' },
);

/** The form in a request. */
export type PostPolicyLevel = Static<typeof levelSchema>;

const policyFields = {
  levels: withRule(
    Type.Array(levelSchema, { minItems: 1, maxItems: policyLimits.levels }),
    uniqueBy((level) => (isObject(level) ? ownValue(level, 'id') : undefined), '.id'),
  ),
  repeat: optionalOr(
    0,
    Type.Integer({
      minimum: 0,
      maximum: policyLimits.repeat,
      description: 'How often the levels are repeated after the last one.',
    }),
  ),
  ackTimeoutSeconds: optionalOr(
    null,
    orNull(
      Type.Integer({
        minimum: policyLimits.ackTimeoutSeconds.min,
        maximum: policyLimits.ackTimeoutSeconds.max,
        description: 'The time after which an acknowledgement ends and the escalation begins again; null: it stays.',
      }),
    ),
  ),
};

export const policySchema = closedObject(policyFields);

/** The stored form. */
export interface PolicyLevel {
  id: string;
  targets: PolicyTarget[];
  escalateAfterSeconds: number;
}

/** The stored form. */
export interface PolicySettings {
  levels: PolicyLevel[];
  /** The rounds after the first one. */
  repeat: number;
  /** Null: an acknowledgement does not end by itself. */
  ackTimeoutSeconds: number | null;
}

const checkPolicy = checkOf(policySchema);

/**
 * Every error of a policy `{levels, repeat, ackTimeoutSeconds}` from a user, each with its path
 * (`levels[1].targets[0].id`); an empty list when it is valid. Optional fields may also be null. The caller checks
 * whether the members, schedules and teams exist (`policyReferencesOf`).
 */
export const validatePolicy = (input: unknown): SettingsFault[] => faultsOf(checkPolicy, input);

/**
 * The stored form of the policy, with every field. Levels without an id get the first free one of `level-1`,
 * `level-2`, …. Requires a valid policy (`validatePolicy`); may throw a TypeError otherwise.
 */
export function normalizedPolicy(input: unknown): PolicySettings {
  const policy = filled(policySchema, input) as Omit<PolicySettings, 'levels'> & {
    levels: (Omit<PolicyLevel, 'id'> & { id?: string })[];
  };
  const taken = new Set(policy.levels.map(({ id }) => id));
  let number = 0;
  const freeId = (): string => {
    do number += 1;
    while (taken.has(`level-${number}`));
    return `level-${number}`;
  };
  return { ...policy, levels: policy.levels.map(({ id, ...level }) => ({ id: id ?? freeId(), ...level })) };
}

export interface PolicyReference {
  noun: 'member' | 'schedule' | 'team';
  id: string;
  /** Where the level names it, such as `levels[1].targets[0].id`. */
  path: string;
}

/** The members, schedules and teams that levels name, each time that they are named. */
export const policyReferencesOf = (levels: readonly Pick<PolicyLevel, 'targets'>[]): PolicyReference[] =>
  levels.flatMap(({ targets }, level) =>
    targets.flatMap((target, index): PolicyReference[] => {
      const path = `levels[${level}].targets[${index}].id`;
      switch (target.type) {
        case 'user':
          return [{ noun: 'member', id: target.id, path }];
        case 'schedule':
        case 'team':
          return [{ noun: target.type, id: target.id, path }];
        case 'email':
        case 'channel':
          return [];
      }
    }),
  );
