import { Button, Checkbox, Group, Modal, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';

const said = texts.incidents.resolveForm;

/** Resolves the incident, with or without its open alerts. */
export function ResolveIncident({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { resolve } = useUpdateIncident();
  const [resolveAlerts, setResolveAlerts] = useState(true);
  const [note, setNote] = useState('');
  return (
    <Modal opened onClose={onClose} title={said.title(incident.number)}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          resolve(incident, { resolveAlerts, ...(note.trim() === '' ? {} : { note: note.trim() }) });
        }}
      >
        <Stack>
          {incident.openAlertCount > 0 && (
            <Checkbox
              label={said.withAlerts(incident.openAlertCount)}
              description={resolveAlerts ? undefined : said.withoutAlerts}
              checked={resolveAlerts}
              onChange={({ currentTarget }) => setResolveAlerts(currentTarget.checked)}
            />
          )}
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
            <Button type="submit">{texts.incidents.resolve}</Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
