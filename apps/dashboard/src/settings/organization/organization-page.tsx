import { Button, MultiSelect, NumberInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import schema from 'schema:PutOrganization';
import type { Body, Data } from '../../api/operation-types.js';
import { read } from '../../api/queries.js';
import { useAct } from '../../api/use-act.js';
import { useCan } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { ErrorState } from '../../ui/error-state.js';
import { ExactTime } from '../../ui/exact-time.js';
import { Facts } from '../../ui/facts.js';
import { FormError } from '../../ui/form-error.js';
import { notifyDone } from '../../ui/notify.js';
import { RecordChoice } from '../../ui/record-choice.js';
import { Section } from '../../ui/section.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { useForm } from '../../ui/use-form.js';
import { SectionBar } from '../section-bar.js';
import formStyles from '../../ui/form.module.css';
import styles from '../settings.module.css';

type Organization = Data<'getOrganization'>;
const flapFields = ['transitions', 'windowSeconds', 'quietSeconds'] as const;

export function OrganizationPage() {
  const can = useCan();
  const found = useQuery(read('getOrganization'));
  return (
    <>
      <SectionBar title={texts.organization.title} />
      {found.isPending && <RowsSkeleton />}
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isSuccess && (
        <div className={styles.narrow}>
          <About organization={found.data} />
          <SettingsForm
            key={`${found.data.environment} ${found.data.version}`}
            organization={found.data}
            isReadOnly={!can('updateOrganization')}
          />
        </div>
      )}
    </>
  );
}

function About({ organization: { id, name, environment, updatedAt } }: { organization: Organization }) {
  const said = texts.organization;
  return (
    <Section title={said.facts}>
      <Facts
        facts={[
          [said.name, <bdi>{name}</bdi>],
          [said.id, <code>{id}</code>],
          [said.environment, said.environments[environment]],
          [said.updated, updatedAt === null ? said.defaults : <ExactTime at={updatedAt} />],
        ]}
      />
    </Section>
  );
}

type Values = Required<Pick<Body<'updateOrganization'>, 'catchAllPolicyId' | 'highUrgencySeverities'>> & {
  defaultWindowSeconds: number;
  flap: Organization['flap'];
};

function SettingsForm({ organization, isReadOnly }: { organization: Organization; isReadOnly: boolean }) {
  const said = texts.organization;
  const { catchAllPolicyId, highUrgencySeverities, defaultWindowSeconds, flap, version } = organization;
  const update = useAct('updateOrganization', {
    changes: ['getOrganization'],
    onSuccess: () => notifyDone(said.saved),
  });
  const form = useForm<Values>({
    schema,
    initial: { catchAllPolicyId, highUrgencySeverities, defaultWindowSeconds, flap },
    send: (body) => update.mutateAsync({ body: { ...body, flap: { ...body.flap } }, ifVersion: version }),
  });
  const { values } = form;
  const flapLabels = { transitions: said.transitions, windowSeconds: said.window, quietSeconds: said.quiet };
  return (
    <form onSubmit={form.submit} noValidate>
      <Section title={said.paging}>
        <div className={formStyles.form}>
          <RecordChoice
            noun="policy"
            label={said.catchAll}
            description={said.catchAllHint}
            placeholder={said.catchAllNone}
            clearable
            value={values.catchAllPolicyId}
            onChange={(id) => form.set('catchAllPolicyId', id)}
            error={form.errorAt('catchAllPolicyId')}
            disabled={isReadOnly}
          />
          <MultiSelect
            label={said.urgent}
            description={said.urgentHint}
            value={values.highUrgencySeverities}
            onChange={(next) => form.set('highUrgencySeverities', next as Values['highUrgencySeverities'])}
            data={Object.entries(texts.ui.severity).map(([value, label]) => ({ value, label }))}
            error={form.errorAt('highUrgencySeverities')}
            disabled={isReadOnly}
          />
          <NumberInput
            label={said.reopen}
            description={said.reopenHint}
            min={0}
            allowDecimal={false}
            value={values.defaultWindowSeconds}
            onChange={(next) => form.set('defaultWindowSeconds', Number(next))}
            error={form.errorAt('defaultWindowSeconds')}
            disabled={isReadOnly}
          />
        </div>
      </Section>
      <Section title={said.flapping} hint={said.flappingHint}>
        <div className={formStyles.form}>
          {flapFields.map((name) => (
            <NumberInput
              key={name}
              label={flapLabels[name]}
              min={0}
              allowDecimal={false}
              value={values.flap[name]}
              onChange={(next) => form.set('flap', { ...values.flap, [name]: Number(next) })}
              error={form.errorAt(`flap.${name}`)}
              disabled={isReadOnly}
            />
          ))}
          <FormError error={form.error} />
          {!isReadOnly && (
            <div className={formStyles.buttons}>
              <Button type="submit" loading={form.isSending} disabled={!form.isChanged}>
                {texts.ui.save}
              </Button>
            </div>
          )}
        </div>
      </Section>
    </form>
  );
}
