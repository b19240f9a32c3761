import { Button, Group, Modal, MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { all } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';

/** Assigns the incident to other members. */
export function HandOver({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { change } = useUpdateIncident();
  const members = useQuery(all('listMembers', { status: ['active'] }));
  const [assigneeIds, setAssigneeIds] = useState(incident.assigneeIds);
  const known =
    members.data?.map(({ id, name, isOnCall }) => ({ value: id, label: isOnCall ? `${name} ☎` : name })) ?? [];
  return (
    <Modal opened onClose={onClose} title={texts.incidents.handOverForm.title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void change(incident, { assigneeIds }, texts.incidents.handedOver(incident.number), {
            assigneeIds: incident.assigneeIds,
          });
        }}
      >
        <MultiSelect
          label={texts.incidents.handOverForm.members}
          description={texts.incidents.handOverForm.hint}
          data={known}
          value={assigneeIds}
          onChange={setAssigneeIds}
          maxValues={50}
          searchable
          data-autofocus
        />
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={onClose}>
            {texts.ui.cancel}
          </Button>
          <Button type="submit">{texts.incidents.handOver}</Button>
        </Group>
      </form>
    </Modal>
  );
}
