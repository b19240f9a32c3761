import { Select } from '@mantine/core';
import type { Role } from '@ams/scopes';
import { useSession } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { rolesWithin } from './role-choices.js';

export interface RoleSelectProps {
  value: Role;
  onChange: (role: Role) => void;
  error?: string | undefined;
}

/** The roles that the member can give, each with what it allows. */
export function RoleSelect({ value, onChange, error }: RoleSelectProps) {
  const { scopes } = useSession();
  return (
    <Select
      label={texts.members.role}
      description={texts.members.roleTexts[value]}
      allowDeselect={false}
      value={value}
      onChange={(next) => next !== null && onChange(next as Role)}
      data={rolesWithin(scopes).map((role) => ({ value: role, label: texts.members.roles[role] }))}
      error={error}
    />
  );
}
