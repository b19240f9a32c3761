/**
 * Chooses one record, or several, by name. What is typed is searched by the API. Nothing is shown to who may not read
 * the list.
 */
import { MultiSelect, Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { read } from '../api/queries.js';
import type { OperationId } from '../api/operation-types.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { useRecordNames, type NamedNoun } from './record-names.js';

const lists = {
  client: 'listClients',
  integration: 'listIntegrations',
  member: 'listMembers',
  schedule: 'listSchedules',
  team: 'listTeams',
  policy: 'listEscalationPolicies',
} as const satisfies Record<NamedNoun, OperationId>;

interface Shared {
  noun: NamedNoun;
  label?: ReactNode;
  'aria-label'?: string;
  description?: ReactNode;
  placeholder?: string;
  error?: string | undefined;
  disabled?: boolean;
  className?: string | undefined;
  size?: 'xs' | 'sm';
}

const shown = 50;
const pauseMs = 200;

function useChoices(noun: NamedNoun, chosen: readonly string[]) {
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search, pauseMs);
  const nameOf = useRecordNames([noun], noun === 'client' ? chosen : []);
  const known = chosen.some((id) => nameOf(noun, id) === q) ? '' : q.trim();
  const options = read(lists[noun] as 'listClients', { query: { limit: shown, ...(known !== '' && { q: known }) } });
  const may = useCan()(lists[noun]);
  const found = useQuery({ ...options, placeholderData: keepPreviousData, staleTime: 60_000, enabled: may });
  const records: readonly { id: string; name: string }[] = found.data ?? [];
  const choices = new Map(records.map(({ id, name }) => [id, name]));
  for (const id of chosen) if (!choices.has(id)) choices.set(id, nameOf(noun, id) ?? id);
  return {
    may,
    data: [...choices].map(([value, label]) => ({ value, label })),
    onSearchChange: setSearch,
    nothingFoundMessage: found.isFetching ? texts.ui.loading : texts.ui.nothingFound,
  };
}

export interface RecordChoiceProps extends Shared {
  value: string | null;
  onChange: (id: string | null) => void;
  clearable?: boolean;
}

export function RecordChoice({ noun, value, onChange, clearable = false, ...input }: RecordChoiceProps) {
  const { may, ...choices } = useChoices(noun, value ? [value] : []);
  if (!may) return null;
  return (
    <Select
      {...input}
      {...choices}
      searchable
      clearable={clearable}
      allowDeselect={false}
      value={value || null}
      onChange={onChange}
      limit={shown}
    />
  );
}

export interface RecordChoicesProps extends Shared {
  value: string[];
  onChange: (ids: string[]) => void;
}

export function RecordChoices({ noun, value, onChange, ...input }: RecordChoicesProps) {
  const { may, ...choices } = useChoices(noun, value);
  if (!may) return null;
  return (
    <MultiSelect
      {...input}
      {...choices}
      searchable
      clearable
      hidePickedOptions
      value={value}
      onChange={onChange}
      limit={shown}
    />
  );
}
