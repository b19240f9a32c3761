/** The members of a team: one schema gives the type, the check and the document. */
import { Type, type Static } from '@sinclair/typebox';
import { faultsOf, isObject, ownValue, type SettingsFault } from '../validation/check.js';
import { checkOf, filled, uniqueBy } from '../validation/schema-check.js';
import { closedObject, optionalOr, stringEnum, withRule } from '../validation/schema.js';
import { reference } from '../workflows/workflow-schema.js';

export const teamRoles = ['manager', 'responder'] as const;

export type TeamRole = (typeof teamRoles)[number];

const userId = reference('member');
const role = stringEnum(teamRoles, { description: 'A level of an escalation policy that names the team pages both.' });

const teamMember = closedObject({ userId, role }, { $id: 'TeamMember' });
const sentTeamMember = closedObject(
  { userId, role: optionalOr('responder', { ...role, description: `${role.description} Default: responder.` }) },
  { $id: 'PostTeamMember' },
);

export type TeamMember = Static<typeof teamMember>;

/** The form in a request. */
export type PostTeamMember = Static<typeof sentTeamMember>;

export const teamMembers = Type.Array(teamMember);

export const sentTeamMembers = withRule(
  Type.Array(sentTeamMember, { maxItems: 100 }),
  uniqueBy((member) => (isObject(member) ? ownValue(member, 'userId') : undefined), '.userId'),
);

const checkMembers = checkOf(sentTeamMembers);

/** The members with their roles. They must be valid. */
export const wholeTeamMembers = (sent: readonly PostTeamMember[]): TeamMember[] =>
  filled(sentTeamMembers, sent) as TeamMember[];

/** Every error of the members of a team; an empty list when they are valid. The caller checks whether they exist. */
export const validateTeamMembers = (input: unknown): SettingsFault[] => faultsOf(checkMembers, input, 'members');
