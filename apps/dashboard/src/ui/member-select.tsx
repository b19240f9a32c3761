/** Members who can be on call and be told: those who are not disabled. */
import { MultiSelect, Select, type MultiSelectProps, type SelectProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';

interface Option {
  value: string;
  label: string;
}

/** With the address where two members have the same name. */
export function useMemberOptions(): Option[] {
  const can = useCan();
  const { data = [] } = useQuery({ ...all('listMembers'), enabled: can('listMembers') });
  const members = data.filter(({ status }) => status !== 'disabled');
  return members.map(({ id, name, email }) => ({
    value: id,
    label: members.some((other) => other.id !== id && other.name === name) ? `${name} (${email})` : name,
  }));
}

/** The most that a list shows; more are found by typing. */
const shown = 100;

export const MemberSelect = (props: Omit<SelectProps, 'data'>) => (
  <Select searchable limit={shown} nothingFoundMessage={texts.app.nothingFound} {...props} data={useMemberOptions()} />
);

export const MembersSelect = (props: Omit<MultiSelectProps, 'data'>) => (
  <MultiSelect
    searchable
    hidePickedOptions
    limit={shown}
    nothingFoundMessage={texts.app.nothingFound}
    {...props}
    data={useMemberOptions()}
  />
);
