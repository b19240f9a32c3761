import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import schema from 'schema:PostEscalationPolicy';
import type { Body } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { notifyDone } from '../ui/notify.js';
import { RecordChoice } from '../ui/record-choice.js';
import { useForm } from '../ui/use-form.js';

interface Values {
  name: string;
  scheduleId: string;
}

/** Who is on call in a schedule, then the next one: the rest is added on the page of the policy. */
const bodyOf = ({ name, scheduleId }: Values): Body<'createEscalationPolicy'> => ({
  name,
  levels:
    scheduleId === ''
      ? []
      : [
          { targets: [{ type: 'schedule', id: scheduleId }], escalateAfterSeconds: 600 },
          { targets: [{ type: 'schedule', id: scheduleId, who: 'next' }], escalateAfterSeconds: 600 },
        ],
  repeat: 1,
});

export function NewPolicyDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const create = useAct('createEscalationPolicy', {
    changes: ['listEscalationPolicies'],
    onSuccess: ({ data: { id, name } }) => {
      close();
      notifyDone(texts.policies.created(name));
      void navigate({ to: '/policies/$id', params: { id } });
    },
  });
  const form = useForm<Values>({
    schema,
    initial: { name: '', scheduleId: '' },
    toBody: bodyOf,
    send: (values) => create.mutateAsync({ body: bodyOf(values) }),
  });
  return (
    <FormDialog title={texts.policies.create} form={form} close={close}>
      <TextInput label={texts.policies.name} data-autofocus {...form.field('name')} />
      <RecordChoice
        noun="schedule"
        label={texts.policies.firstSchedule}
        description={texts.policies.firstScheduleHint}
        value={form.values.scheduleId}
        onChange={(value) => form.set('scheduleId', value ?? '')}
        error={form.errorAt('levels') && texts.policies.chooseSchedule}
      />
    </FormDialog>
  );
}
