/** Which roles somebody can give: those whose scopes they have themselves. */
import { roles, type Role, type Scope } from '@ams/scopes';

const names = Object.keys(roles) as Role[];

export const rolesWithin = (held: readonly Scope[]): Role[] =>
  names.filter((role) => roles[role].every((scope) => held.includes(scope)));

/** Whether they can change a member who has this role. */
export const canChange = (held: readonly Scope[], role: Role): boolean => rolesWithin(held).includes(role);
