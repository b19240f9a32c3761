/** The settings of a step, by its type. */
import { NativeSelect, NumberInput, Text, TextInput } from '@mantine/core';
import { severities } from '../conditions/fields.js';
import { texts } from '../texts/texts.js';
import { EntriesField } from '../ui/entries-field.js';
import { RecordChoice } from '../ui/record-choice.js';
import type { StepOf, WorkflowStep } from './definition.js';
import { OpenIncidentFields, PageFields } from './incident-fields.js';
import { NotifyFields } from './notify-fields.js';
import ruleStyles from '../ui/rule.module.css';

export interface StepFieldsProps<Step extends WorkflowStep = WorkflowStep> {
  step: Step;
  disabled: boolean;
  errorAt: (path: string) => string | undefined;
  onChange: (step: Step) => void;
}

const { step: words } = texts.workflows;

export function StepFields({ step, ...props }: StepFieldsProps) {
  switch (step.type) {
    case 'page':
      return <PageFields {...props} step={step} />;
    case 'openIncident':
      return <OpenIncidentFields {...props} step={step} />;
    case 'notify':
      return <NotifyFields {...props} step={step} />;
    case 'webhook':
      return <WebhookFields {...props} step={step} />;
    case 'assign':
      return <AssignFields {...props} step={step} />;
    case 'setSeverity':
      return (
        <NativeSelect
          label={words.severity}
          value={step.params.severity}
          disabled={props.disabled}
          error={props.errorAt('params.severity')}
          data={severities.map((value) => ({ value, label: texts.ui.severity[value] }))}
          onChange={({ currentTarget }) =>
            props.onChange({ ...step, params: { severity: currentTarget.value as (typeof severities)[number] } })
          }
        />
      );
    case 'addLabels':
      return (
        <EntriesField
          label={words.labels}
          add={words.addLabel}
          entries={step.params.labels}
          disabled={props.disabled}
          path="params.labels"
          errorAt={props.errorAt}
          onChange={(labels) => props.onChange({ ...step, params: { labels } })}
        />
      );
    case 'acknowledge':
    case 'resolve':
      return (
        <Text size="sm" c="dimmed">
          {words.nothing}
        </Text>
      );
  }
}

function WebhookFields({ step, disabled, errorAt, onChange }: StepFieldsProps<StepOf<'webhook'>>) {
  const { params } = step;
  const change = (changed: Partial<typeof params>): void => onChange({ ...step, params: { ...params, ...changed } });
  return (
    <>
      <div className={ruleStyles.pair}>
        <TextInput
          type="url"
          label={words.url}
          value={params.url}
          disabled={disabled}
          error={errorAt('params.url')}
          onChange={({ currentTarget }) => change({ url: currentTarget.value })}
        />
        <TextInput
          label={words.secret}
          description={words.secretHint}
          autoComplete="off"
          value={params.secret ?? ''}
          disabled={disabled}
          error={errorAt('params.secret')}
          onChange={({ currentTarget }) => change({ secret: currentTarget.value || null })}
        />
      </div>
      <details>
        <summary>{words.more}</summary>
        <div className={ruleStyles.fields}>
          <EntriesField
            label={words.headers}
            add={words.addHeader}
            entries={params.headers ?? {}}
            disabled={disabled}
            path="params.headers"
            errorAt={errorAt}
            onChange={(headers) => change({ headers })}
          />
          <NumberInput
            label={words.timeout}
            min={1}
            max={30}
            value={params.timeoutSeconds ?? 10}
            disabled={disabled}
            error={errorAt('params.timeoutSeconds')}
            onChange={(timeoutSeconds) => change({ timeoutSeconds: Number(timeoutSeconds) })}
          />
        </div>
      </details>
    </>
  );
}

function AssignFields({ step, disabled, errorAt, onChange }: StepFieldsProps<StepOf<'assign'>>) {
  const { params } = step;
  const isSchedule = 'scheduleId' in params;
  return (
    <div className={ruleStyles.pair}>
      <NativeSelect
        label={words.assign}
        value={isSchedule ? 'schedule' : 'member'}
        disabled={disabled}
        data={[
          { value: 'member', label: words.assignWays.member },
          { value: 'schedule', label: words.assignWays.schedule },
        ]}
        onChange={({ currentTarget }) =>
          onChange({ ...step, params: currentTarget.value === 'schedule' ? { scheduleId: '' } : { userId: '' } })
        }
      />
      {isSchedule ? (
        <RecordChoice
          noun="schedule"
          label={words.schedule}
          value={params.scheduleId}
          disabled={disabled}
          error={errorAt('params.scheduleId')}
          onChange={(id) => onChange({ ...step, params: { scheduleId: id ?? '' } })}
        />
      ) : (
        <RecordChoice
          noun="member"
          label={words.member}
          value={params.userId}
          disabled={disabled}
          error={errorAt('params.userId')}
          onChange={(id) => onChange({ ...step, params: { userId: id ?? '' } })}
        />
      )}
    </div>
  );
}
