import { Text } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { FormDialog, useSent } from '../ui/form-dialog.js';
import { NoteInput } from '../ui/note-input.js';
import { nextTold, type NextTold } from './next-told.js';
import { usePolicyLevels } from './use-policy-levels.js';
import { useIncidentActs } from './use-incident-acts.js';
import type { Incident } from './use-update-incident.js';

const said = texts.incidents.escalateForm;

/** Says who will be told, and tells them. */
export function EscalateIncident({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { escalate } = useIncidentActs();
  const { levels } = usePolicyLevels(incident);
  const [note, setNote] = useState('');
  const form = useSent(onClose, () => escalate(incident, note));
  return (
    <FormDialog title={said.title(incident.number)} action={texts.incidents.escalate} close={onClose} form={form}>
      <Who next={nextTold(incident, levels)} />
      {incident.status === 'acknowledged' && <Text size="sm">{said.again}</Text>}
      <NoteInput label={said.note} value={note} onChange={setNote} data-autofocus />
    </FormDialog>
  );
}

function Who({ next }: { next: NextTold }) {
  if (next.kind !== 'level') return <Text size="md">{said[next.kind]}</Text>;
  return (
    <Text size="md">
      {said.level(next.level)} <bdi>{next.names.join(', ')}</bdi>
    </Text>
  );
}
