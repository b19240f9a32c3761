import { MultiSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { all } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { FormDialog, useSent } from '../ui/form-dialog.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';

/** Assigns the incident to other members. */
export function HandOver({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { change } = useUpdateIncident();
  const members = useQuery(all('listMembers', { status: ['active'] }));
  const [assigneeIds, setAssigneeIds] = useState(incident.assigneeIds);
  const form = useSent(onClose, () =>
    change(incident, { assigneeIds }, texts.incidents.handedOver(incident.number), {
      assigneeIds: incident.assigneeIds,
    }),
  );
  const known =
    members.data?.map(({ id, name, isOnCall }) => ({ value: id, label: isOnCall ? `${name} ☎` : name })) ?? [];
  return (
    <FormDialog
      title={texts.incidents.handOverForm.title}
      action={texts.incidents.handOver}
      close={onClose}
      form={form}
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
    </FormDialog>
  );
}
