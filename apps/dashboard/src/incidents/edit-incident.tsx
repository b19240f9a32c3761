import { Select, Textarea, TextInput } from '@mantine/core';
import schema from 'schema:PutIncident';
import { call } from '../api/call.js';
import { invalidate } from '../api/queries.js';
import type { Body } from '../api/operation-types.js';
import { queryClient } from '../app/query-client.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { notifyDone } from '../ui/notify.js';
import { useForm } from '../ui/use-form.js';
import type { Incident } from './use-update-incident.js';

const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** The texts and the severity. */
export function EditIncident({ incident, onClose }: { incident: Incident; onClose: () => void }) {
  const { id, number, title, severity, summary, version } = incident;
  const form = useForm<Pick<Required<Body<'updateIncident'>>, 'title' | 'severity' | 'summary'>>({
    schema,
    initial: { title, severity, summary },
    toBody: (values) => ({ ...values, summary: values.summary === '' ? null : values.summary }),
    send: async (values) => {
      const body = { ...values, summary: values.summary === '' ? null : values.summary };
      await call('updateIncident', { path: { id }, body }, { ifVersion: version });
      notifyDone(texts.incidents.changed(number));
      onClose();
      await invalidate(queryClient, ['getIncident', 'listIncidents', 'getIncidentTimeline']);
    },
  });
  return (
    <FormDialog
      title={texts.incidents.editForm.title}
      form={form}
      close={onClose}
      action={texts.ui.save}
      size="lg"
      isDisabled={!form.isChanged}
    >
      <TextInput {...form.field('title')} label={texts.incidents.name} data-autofocus required />
      <Select
        label={texts.incidents.severity}
        data={severities.map((value) => ({ value, label: texts.ui.severity[value] }))}
        value={form.values.severity}
        allowDeselect={false}
        error={form.errorAt('severity')}
        onChange={(value) => form.set('severity', value as Incident['severity'])}
      />
      <Textarea {...form.field('summary')} label={texts.incidents.editForm.summary} autosize minRows={4} maxRows={16} />
    </FormDialog>
  );
}
