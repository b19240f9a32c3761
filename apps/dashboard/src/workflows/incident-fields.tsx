/** Steps that open incidents: with an escalation policy that pages, and without. */
import { Checkbox, NativeSelect, TagsInput, TextInput } from '@mantine/core';
import { severities } from '../conditions/fields.js';
import { texts } from '../texts/texts.js';
import { DurationInput } from '../ui/duration-input.js';
import { RecordChoice } from '../ui/record-choice.js';
import type { StepOf } from './definition.js';
import type { StepFieldsProps } from './step-fields.js';
import ruleStyles from '../ui/rule.module.css';

const { step: words } = texts.workflows;
const groupFields = ['fingerprint', 'labels.service', 'labels.alertname', 'severity', 'source', 'title', 'clientId'];

export function PageFields({ step, disabled, errorAt, onChange }: StepFieldsProps<StepOf<'page'>>) {
  const params = step.params ?? {};
  const policy = params.policy ?? null;
  const way = policy === null ? 'catchAll' : 'teamFrom' in policy ? 'team' : 'id';
  const change = (changed: Partial<typeof params>): void => onChange({ ...step, params: { ...params, ...changed } });
  const policies = { catchAll: null, team: { teamFrom: 'labels.team' }, id: { id: '' } } as const;
  const hasWindow = typeof params.windowSeconds === 'number';
  return (
    <>
      <div className={ruleStyles.pair}>
        <NativeSelect
          label={words.policy}
          value={way}
          disabled={disabled}
          data={(['team', 'id', 'catchAll'] as const).map((value) => ({ value, label: words.policyWays[value] }))}
          onChange={({ currentTarget }) => change({ policy: policies[currentTarget.value as keyof typeof policies] })}
        />
        {policy !== null && 'id' in policy && (
          <RecordChoice
            noun="policy"
            label={words.policyWays.id}
            value={policy.id}
            disabled={disabled}
            error={errorAt('params.policy.id')}
            onChange={(id) => change({ policy: { id: id ?? '' } })}
          />
        )}
        {policy !== null && 'teamFrom' in policy && (
          <TextInput
            label={words.teamFrom}
            value={policy.teamFrom}
            disabled={disabled}
            error={errorAt('params.policy.teamFrom')}
            onChange={({ currentTarget }) => change({ policy: { teamFrom: currentTarget.value } })}
          />
        )}
      </div>
      <details open={errorAt('params.title') !== undefined || undefined}>
        <summary>{words.more}</summary>
        <div className={ruleStyles.fields}>
          <GroupBy
            value={params.groupBy ?? []}
            none={words.groupByDefault}
            disabled={disabled}
            errorAt={errorAt}
            onChange={(groupBy) => change({ groupBy: groupBy.length === 0 ? null : groupBy })}
          />
          <Title value={params.title} disabled={disabled} errorAt={errorAt} onChange={(title) => change({ title })} />
          <Checkbox
            label={words.windowDefault}
            checked={!hasWindow}
            disabled={disabled}
            onChange={({ currentTarget }) => change({ windowSeconds: currentTarget.checked ? null : 1800 })}
          />
          {hasWindow && (
            <DurationInput
              label={words.window}
              seconds={params.windowSeconds ?? 0}
              disabled={disabled}
              error={errorAt('params.windowSeconds')}
              onChange={(windowSeconds) => change({ windowSeconds })}
            />
          )}
          <AutoResolve
            value={params.autoResolve ?? true}
            disabled={disabled}
            onChange={(autoResolve) => change({ autoResolve })}
          />
        </div>
      </details>
    </>
  );
}

export function OpenIncidentFields({ step, disabled, errorAt, onChange }: StepFieldsProps<StepOf<'openIncident'>>) {
  const params = step.params ?? {};
  const change = (changed: Partial<typeof params>): void => onChange({ ...step, params: { ...params, ...changed } });
  return (
    <>
      <GroupBy
        value={params.groupBy ?? []}
        none={words.groupByNone}
        disabled={disabled}
        errorAt={errorAt}
        onChange={(groupBy) => change({ groupBy })}
      />
      <details>
        <summary>{words.more}</summary>
        <div className={ruleStyles.fields}>
          <Title value={params.title} disabled={disabled} errorAt={errorAt} onChange={(title) => change({ title })} />
          <NativeSelect
            label={words.severity}
            value={params.severity ?? ''}
            disabled={disabled}
            data={[
              { value: '', label: words.sameSeverity },
              ...severities.map((value) => ({ value, label: texts.ui.severity[value] })),
            ]}
            onChange={({ currentTarget }) =>
              change({ severity: (currentTarget.value || null) as (typeof severities)[number] | null })
            }
          />
          <DurationInput
            label={words.window}
            seconds={params.windowSeconds ?? 0}
            disabled={disabled}
            error={errorAt('params.windowSeconds')}
            onChange={(windowSeconds) => change({ windowSeconds })}
          />
          <AutoResolve
            value={params.autoResolve ?? false}
            disabled={disabled}
            onChange={(autoResolve) => change({ autoResolve })}
          />
        </div>
      </details>
    </>
  );
}

interface FieldProps<Value> {
  value: Value;
  disabled: boolean;
  errorAt: (path: string) => string | undefined;
  onChange: (value: Value) => void;
}

const GroupBy = ({ value, none, disabled, errorAt, onChange }: FieldProps<string[]> & { none: string }) => (
  <TagsInput
    label={words.groupBy}
    description={words.groupByHint}
    placeholder={value.length === 0 ? none : undefined}
    data={groupFields}
    value={value}
    disabled={disabled}
    error={errorAt('params.groupBy') ?? value.map((_each, at) => errorAt(`params.groupBy[${at}]`)).find(Boolean)}
    onChange={onChange}
  />
);

const Title = ({ value, disabled, errorAt, onChange }: FieldProps<string | null | undefined>) => (
  <TextInput
    label={words.incidentTitle}
    description={words.incidentTitleHint}
    placeholder={words.standard}
    value={value ?? ''}
    disabled={disabled}
    error={errorAt('params.title')}
    onChange={({ currentTarget }) => onChange(currentTarget.value || null)}
  />
);

const AutoResolve = ({ value, disabled, onChange }: Omit<FieldProps<boolean>, 'errorAt'>) => (
  <Checkbox
    label={words.autoResolve}
    checked={value}
    disabled={disabled}
    onChange={({ currentTarget }) => onChange(currentTarget.checked)}
  />
);
