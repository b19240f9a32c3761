import { Alert, Button, Checkbox, NativeSelect, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { ExclamationTriangleIcon, PlusIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { matcherGroups, severities, type Predicate } from '../conditions/fields.js';
import { PredicateEditor } from '../conditions/predicate-editor.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { RecordChoice, RecordChoices } from '../ui/record-choice.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { HidesNow } from './hides-now.js';
import type { WindowFormState } from './use-window-form.js';
import { WhenFields } from './when-fields.js';
import { isUnlimited } from './window.js';
import { WindowWords } from './window-words.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './suppression.module.css';

const { form: words } = texts.suppression;

export interface WindowFormProps {
  form: WindowFormState;
  canWrite: boolean;
  save: string;
  isNew?: boolean;
}

export function WindowForm({ form, canWrite, save, isNew = false }: WindowFormProps) {
  const { values, set, field, errorAt } = form;
  return (
    <div className={styles.formPage}>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <WindowWords window={values} />
        {!canWrite && <Text c="dimmed">{words.readOnly}</Text>}
        <fieldset disabled={!canWrite} className={styles.fieldset}>
          <Section title={words.about}>
            <TextInput {...field('name')} label={words.name} required maxLength={200} />
            <Textarea {...field('reason')} label={words.reason} autosize minRows={1} />
            <RecordChoice
              noun="team"
              label={words.team}
              placeholder={words.noTeam}
              clearable
              value={values.teamId}
              disabled={!canWrite}
              error={errorAt('teamId')}
              onChange={(id) => set('teamId', id)}
            />
          </Section>
          <Section title={words.what} hint={words.whatHint}>
            <Scope form={form} canWrite={canWrite} />
          </Section>
          <Section title={words.when}>
            <WhenFields form={form} />
          </Section>
          <Section title={words.end}>
            <NativeSelect
              label={words.onEnd}
              value={values.onEnd}
              data={(['resume', 'resolve'] as const).map((value) => ({ value, label: words.onEnds[value] }))}
              onChange={({ currentTarget }) => set('onEnd', currentTarget.value as 'resume' | 'resolve')}
            />
          </Section>
        </fieldset>
        {canWrite && (
          <div className={ruleStyles.saveBar}>
            <Button type="submit" size="sm" loading={form.isSending} disabled={!isNew && !form.isChanged}>
              {save}
            </Button>
            {form.hasFaults && (
              <p role="alert" className={ruleStyles.fault}>
                {words.faults}
              </p>
            )}
            {form.error && (
              <p role="alert" className={ruleStyles.fault}>
                {form.error.code === 'VERSION_MISMATCH' ? words.changedElsewhere : errorText(form.error)}
              </p>
            )}
          </div>
        )}
      </form>
      <HidesNow values={values} />
    </div>
  );
}

const Section = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section className={styles.section}>
    <h2>{title}</h2>
    {hint !== undefined && <p className={ruleStyles.hint}>{hint}</p>}
    {children}
  </section>
);

const firstMatcher: Predicate = { field: 'labels.service', op: 'eq', value: '' };

function Scope({ form: { values, set, errorAt }, canWrite }: { form: WindowFormState; canWrite: boolean }) {
  const { matchers, exceptSeverities } = values;
  const fault = errorAt('matchers') ?? errorAt('matchAll');
  return (
    <>
      <div role="group" aria-label={words.matchers} className={ruleStyles.fields}>
        {matchers.map((matcher, index) => (
          <PredicateEditor
            key={index}
            predicate={matcher}
            path={`matchers[${index}]`}
            groups={matcherGroups}
            errorAt={errorAt}
            disabled={!canWrite}
            onChange={(next) => set('matchers', matchers.with(index, next))}
            onRemove={() => set('matchers', matchers.toSpliced(index, 1))}
          />
        ))}
        {canWrite && (
          <div>
            <Button
              variant="subtle"
              leftSection={<PlusIcon aria-hidden />}
              onClick={() => set('matchers', [...matchers, firstMatcher])}
            >
              {words.addMatcher}
            </Button>
          </div>
        )}
      </div>
      <div className={ruleStyles.pair}>
        <RecordChoices
          noun="client"
          label={words.clients}
          placeholder={values.clientIds.length === 0 ? words.allClients : undefined}
          value={values.clientIds}
          disabled={!canWrite}
          error={errorAt('clientIds')}
          onChange={(ids) => set('clientIds', ids)}
        />
        <RecordChoices
          noun="integration"
          label={words.integrations}
          placeholder={values.integrationIds.length === 0 ? words.allIntegrations : undefined}
          value={values.integrationIds}
          disabled={!canWrite}
          error={errorAt('integrationIds')}
          onChange={(ids) => set('integrationIds', ids)}
        />
      </div>
      <Checkbox.Group
        label={words.except}
        value={exceptSeverities}
        error={errorAt('exceptSeverities')}
        onChange={(chosen) =>
          set(
            'exceptSeverities',
            severities.filter((severity) => chosen.includes(severity)),
          )
        }
      >
        <div className={styles.severities}>
          {severities.map((severity) => (
            <Checkbox
              key={severity}
              value={severity}
              disabled={!canWrite}
              label={<SeverityMark severity={severity} />}
            />
          ))}
        </div>
      </Checkbox.Group>
      {isUnlimited(values) && (
        <Alert color="red" icon={<ExclamationTriangleIcon aria-hidden />}>
          <p className={styles.warning}>{words.matchAllWarning}</p>
          <Switch
            label={words.matchAll}
            checked={values.matchAll}
            onChange={({ currentTarget }) => set('matchAll', currentTarget.checked)}
          />
        </Alert>
      )}
      {fault !== undefined && (
        <p role="alert" className={ruleStyles.fault}>
          {fault}
        </p>
      )}
    </>
  );
}
