import { Button, NumberInput, Select, TextInput } from '@mantine/core';
import schema from 'schema:PutIntegration';
import type { Body } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { ExactTime } from '../ui/exact-time.js';
import { Facts } from '../ui/facts.js';
import { FormError } from '../ui/form-error.js';
import { notifyDone } from '../ui/notify.js';
import { RecordChoice } from '../ui/record-choice.js';
import { Section } from '../ui/section.js';
import { useForm } from '../ui/use-form.js';
import { DeleteIntegration } from './delete-integration.js';
import type { Integration } from './integration-page.js';
import { RotateToken } from './rotate-token.js';
import formStyles from '../ui/form.module.css';
import styles from './integrations.module.css';

export function SettingsTab({ integration }: { integration: Integration }) {
  const can = useCan();
  const said = texts.integrations.settings;
  return (
    <div className={styles.narrow}>
      {can('updateIntegration') && <SettingsForm integration={integration} />}
      <Section title={said.facts}>
        <Facts
          facts={[
            [said.url, <code>{integration.ingestUrl}</code>],
            [texts.integrations.createdAt, <ExactTime at={integration.createdAt} />],
            [
              texts.integrations.lastEvent,
              integration.lastEventAt === null ? texts.ui.never : <ExactTime at={integration.lastEventAt} />,
            ],
            [said.limited, integration.rateLimited.count],
          ]}
        />
      </Section>
      {can('rotateIntegrationToken') && <RotateToken integration={integration} />}
      {can('deleteIntegration') && <DeleteIntegration integration={integration} />}
    </div>
  );
}

type Values = Pick<
  Body<'updateIntegration'>,
  'name' | 'clientId' | 'teamId' | 'dedupScope' | 'autoResolveAfterSeconds'
>;

function SettingsForm({ integration }: { integration: Integration }) {
  const { id, name, clientId, teamId, dedupScope, autoResolveAfterSeconds, version } = integration;
  const said = texts.integrations.settings;
  const update = useAct('updateIntegration', {
    changes: ['getIntegration', 'listIntegrations'],
    onSuccess: () => notifyDone(said.saved),
  });
  const form = useForm<Values>({
    schema,
    initial: { name, clientId, teamId, dedupScope, autoResolveAfterSeconds },
    send: (body) => update.mutateAsync({ path: { id }, body, ifVersion: version }),
  });
  return (
    <Section title={said.general}>
      <form className={formStyles.form} onSubmit={form.submit} noValidate>
        <TextInput {...form.field('name')} label={texts.integrations.name} required />
        <RecordChoice
          noun="client"
          label={texts.integrations.client}
          placeholder={texts.ui.none}
          clearable
          value={form.values.clientId ?? null}
          onChange={(next) => form.set('clientId', next)}
          error={form.errorAt('clientId')}
        />
        <RecordChoice
          noun="team"
          label={texts.integrations.team}
          placeholder={texts.ui.none}
          clearable
          value={form.values.teamId ?? null}
          onChange={(next) => form.set('teamId', next)}
          error={form.errorAt('teamId')}
        />
        <Select
          label={said.dedup}
          description={said.dedupHint}
          allowDeselect={false}
          value={form.values.dedupScope ?? 'integration'}
          onChange={(next) => form.set('dedupScope', (next as Values['dedupScope']) ?? 'integration')}
          data={(['integration', 'organization'] as const).map((value) => ({ value, label: said.dedups[value] }))}
        />
        <NumberInput
          label={said.autoResolve}
          description={said.autoResolveHint}
          min={1}
          allowDecimal={false}
          value={form.values.autoResolveAfterSeconds ?? ''}
          onChange={(next) => form.set('autoResolveAfterSeconds', next === '' ? null : Number(next))}
          error={form.errorAt('autoResolveAfterSeconds')}
        />
        <FormError error={form.error} />
        <div className={formStyles.buttons}>
          <Button type="submit" loading={form.isSending} disabled={!form.isChanged}>
            {texts.ui.save}
          </Button>
        </div>
      </form>
    </Section>
  );
}
