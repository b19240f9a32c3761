import { List, MultiSelect } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { FormDialog, useSent } from '../ui/form-dialog.js';
import { NoteInput } from '../ui/note-input.js';
import { useIncidentActs } from './use-incident-acts.js';
import type { Incident } from './use-update-incident.js';

const said = texts.incidents.mergeForm;

/** As many as the API takes. */
const maxIncidents = 25;

/** Chooses the incidents whose alerts move to this one, and says what that does. */
export function MergeIncidents({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { merge } = useIncidentActs();
  const [chosen, setChosen] = useState<Incident[]>([]);
  const [search, setSearch] = useState('');
  const [q] = useDebouncedValue(search.trim(), 200);
  const [note, setNote] = useState('');
  const found = useQuery({
    ...read('listIncidents', {
      query: {
        status: ['triggered', 'acknowledged'],
        clientId: [incident.clientId ?? '!'],
        limit: 50,
        ...(q !== '' && { q }),
      },
    }),
    placeholderData: keepPreviousData,
  });
  const others = (found.data ?? []).filter(({ id }) => id !== incident.id);
  const known = new Map([...others, ...chosen].map((one) => [one.id, one]));
  const form = useSent(onClose, () =>
    merge(
      incident,
      chosen.map(({ id }) => id),
      note,
    ),
  );
  const alerts = chosen.reduce((sum, { alertCount }) => sum + alertCount, 0);
  return (
    <FormDialog
      title={said.title(incident.number)}
      action={texts.incidents.merge}
      isDisabled={chosen.length === 0}
      size="lg"
      close={onClose}
      form={form}
    >
      <MultiSelect
        label={said.incidents}
        description={said.hint}
        data={[...known.values()].map(({ id, number, title }) => ({
          value: id,
          label: said.option(number, title),
        }))}
        filter={({ options }) => options}
        value={chosen.map(({ id }) => id)}
        onChange={(ids) => setChosen(ids.map((id) => known.get(id)).filter((one) => one !== undefined))}
        onSearchChange={setSearch}
        nothingFoundMessage={found.isFetching ? texts.ui.loading : texts.ui.nothingFound}
        maxValues={maxIncidents}
        searchable
        data-autofocus
      />
      <NoteInput label={said.note} value={note} onChange={setNote} />
      {chosen.length > 0 && (
        <List size="sm">
          <List.Item>{said.alerts(alerts, incident.number)}</List.Item>
          <List.Item>{said.ends}</List.Item>
          <List.Item>{said.pages}</List.Item>
        </List>
      )}
    </FormDialog>
  );
}
