import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import schema from 'schema:PostSchedule';
import type { Body } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { viewerZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { MembersSelect } from '../ui/member-select.js';
import { notifyDone } from '../ui/notify.js';
import { useForm } from '../ui/use-form.js';
import { ZoneSelect } from '../ui/zone-select.js';

/** The shortest way to a schedule: who, and in which zone. The members follow each other every Monday. */
export function NewScheduleDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const create = useAct('createSchedule', {
    changes: ['listSchedules', 'getCurrentOnCall'],
    onSuccess: ({ data: { id, name } }) => {
      close();
      notifyDone(texts.schedules.created(name));
      void navigate({ to: '/schedules/$id', params: { id } });
    },
  });
  const form = useForm<Body<'createSchedule'> & { layers: { members: string[] }[] }>({
    schema,
    initial: { name: '', timezone: viewerZone(), layers: [{ members: [] }] },
    send: (body) => create.mutateAsync({ body }),
  });
  const { timezone, layers } = form.values;
  return (
    <FormDialog title={texts.schedules.create} form={form} close={close}>
      <TextInput label={texts.schedules.name} data-autofocus {...form.field('name')} />
      <MembersSelect
        label={texts.schedules.members}
        description={texts.schedules.membersHint}
        value={layers[0]?.members ?? []}
        onChange={(members) => form.set('layers', [{ members }])}
        error={form.errorAt('layers[0].members')}
      />
      <ZoneSelect
        label={texts.schedules.timezone}
        value={timezone ?? null}
        onChange={(value) => form.set('timezone', value ?? 'UTC')}
        error={form.errorAt('timezone')}
      />
    </FormDialog>
  );
}
