/** The members of a team: one schema gives the type, the check and the document. */
import { Type, type Static } from '@sinclair/typebox';
import { faultsOf, isObject, ownValue, type SettingsFault } from '../validation/check.js';
import { checkOf, uniqueBy } from '../validation/schema-check.js';
import { closedObject, stringEnum, withRule } from '../validation/schema.js';
import { reference } from '../workflows/workflow-schema.js';

export const teamRoles = ['manager', 'responder'] as const;

export type TeamRole = (typeof teamRoles)[number];

const teamMember = closedObject(
  {
    userId: reference('member'),
    role: stringEnum(teamRoles, { description: 'A level of an escalation policy that names the team pages both.' }),
  },
  { $id: 'TeamMember' },
);

export type TeamMember = Static<typeof teamMember>;

export const teamMembers = withRule(
  Type.Array(teamMember, { maxItems: 100 }),
  uniqueBy((member) => (isObject(member) ? ownValue(member, 'userId') : undefined), '.userId'),
);

const checkMembers = checkOf(teamMembers);

/** Every error of the members of a team; an empty list when they are valid. The caller checks whether they exist. */
export const validateTeamMembers = (input: unknown): SettingsFault[] => faultsOf(checkMembers, input, 'members');
