import { Checkbox } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { FormDialog, useSent } from '../ui/form-dialog.js';
import { NoteInput } from '../ui/note-input.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';

const said = texts.incidents.resolveForm;

/** Resolves the incident, with or without its open alerts. */
export function ResolveIncident({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { resolve } = useUpdateIncident();
  const [resolveAlerts, setResolveAlerts] = useState(true);
  const [note, setNote] = useState('');
  const form = useSent(onClose, () =>
    resolve(incident, { resolveAlerts, ...(note.trim() === '' ? {} : { note: note.trim() }) }),
  );
  return (
    <FormDialog title={said.title(incident.number)} action={texts.incidents.resolve} close={onClose} form={form}>
      {incident.openAlertCount > 0 && (
        <Checkbox
          label={said.withAlerts(incident.openAlertCount)}
          description={resolveAlerts ? undefined : said.withoutAlerts}
          checked={resolveAlerts}
          onChange={({ currentTarget }) => setResolveAlerts(currentTarget.checked)}
        />
      )}
      <NoteInput label={said.note} value={note} onChange={setNote} data-autofocus />
    </FormDialog>
  );
}
