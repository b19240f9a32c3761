import { Button, TextInput } from '@mantine/core';
import schema from 'schema:PostIntegration';
import type { Body, Data } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { FormError } from '../ui/form-error.js';
import { RecordChoice } from '../ui/record-choice.js';
import { useForm } from '../ui/use-form.js';
import { Section } from '../ui/section.js';
import { senderOf } from './senders.js';
import formStyles from '../ui/form.module.css';

type Created = Data<'createIntegration'>;
type Values = Body<'createIntegration'>;

export function CreateForm({ type, onCreated }: { type: string; onCreated: (created: Created) => void }) {
  const create = useAct('createIntegration', { changes: ['listIntegrations'] });
  const form = useForm<Values>({
    schema,
    initial: { name: senderOf(type).name, type: type as Values['type'], clientId: null, teamId: null },
    send: async (body) => onCreated((await create.mutateAsync({ body })).data),
  });
  const said = texts.integrations.form;
  return (
    <Section title={texts.integrations.settings.general}>
      <form className={formStyles.form} onSubmit={form.submit} noValidate>
        <TextInput
          {...form.field('name')}
          label={texts.integrations.name}
          description={said.nameHint}
          data-autofocus
          required
        />
        <RecordChoice
          noun="client"
          label={texts.integrations.client}
          description={said.clientHint}
          placeholder={said.none}
          clearable
          value={form.values.clientId ?? null}
          onChange={(id) => form.set('clientId', id)}
          error={form.errorAt('clientId')}
        />
        <RecordChoice
          noun="team"
          label={texts.integrations.team}
          description={said.teamHint}
          placeholder={said.none}
          clearable
          value={form.values.teamId ?? null}
          onChange={(id) => form.set('teamId', id)}
          error={form.errorAt('teamId')}
        />
        {form.errorAt('type') !== undefined && <p className={formStyles.fault}>{form.errorAt('type')}</p>}
        <FormError error={form.error} />
        <div className={formStyles.buttons}>
          <Button type="submit" loading={form.isSending}>
            {said.create}
          </Button>
        </div>
      </form>
    </Section>
  );
}
