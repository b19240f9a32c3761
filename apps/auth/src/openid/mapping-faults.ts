/** What is wrong with the texts of the settings OPENID_ROLES and OPENID_TEAMS. */
import { readMapping } from '@ams/domain';
import { roles } from '@ams/scopes';

/** Null: nothing is wrong. */
export function roleMappingFault(text: unknown): string | null {
  if (typeof text !== 'string') return 'must be a text';
  const { pairs, faults } = readMapping(text);
  const [fault] = faults;
  if (fault !== undefined) return `must be pairs such as admins=admin, separated by commas: ${fault}`;
  const unknown = pairs.find(([, role]) => !Object.hasOwn(roles, role));
  return unknown ? `must name the roles ${Object.keys(roles).join(', ')}, not ${unknown[1]}` : null;
}

export function teamMappingFault(text: unknown): string | null {
  if (typeof text !== 'string') return 'must be a text';
  const [fault] = readMapping(text).faults;
  return fault === undefined ? null : `must be pairs such as payments=payments-team, separated by commas: ${fault}`;
}
