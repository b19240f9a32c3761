import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
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
  return (
    <Modal opened onClose={onClose} title={said.title(incident.number)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void escalate(incident, note);
        }}
      >
        <Stack>
          <Who next={nextTold(incident, levels)} />
          {incident.status === 'acknowledged' && <Text size="sm">{said.again}</Text>}
          <Textarea
            label={said.note}
            value={note}
            maxLength={4096}
            autosize
            minRows={2}
            data-autofocus
            onChange={({ currentTarget }) => setNote(currentTarget.value)}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit">{texts.incidents.escalate}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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
