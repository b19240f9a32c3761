import { Alert, Button, Checkbox, Chip, Menu, Text, Textarea, TextInput } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import type { ReactNode } from 'react';
import { ConditionEditor } from '../conditions/condition-editor.js';
import { eventNoun, groupsOfEvents, type WorkflowEvent } from '../conditions/fields.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { RecordChoice } from '../ui/record-choice.js';
import { movedStep, newStep, stepTypes, workflowEvents, type WorkflowStep } from './definition.js';
import { StepEditor } from './step-editor.js';
import type { WorkflowFormState } from './use-workflow-form.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

const workflows = texts.workflows;

export interface WorkflowFormProps {
  form: WorkflowFormState;
  canWrite: boolean;
  save: string;
  isNew?: boolean;
  /** Somebody else has saved meanwhile: loads what they saved. */
  conflict?: (() => void) | undefined;
}

export function WorkflowForm({ form, canWrite, save, isNew = false, conflict }: WorkflowFormProps) {
  const { values, set, field, errorAt } = form;
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      {!canWrite && <Text c="dimmed">{workflows.readOnly}</Text>}
      <Section title={workflows.settings}>
        <TextInput {...field('name')} label={workflows.name} required disabled={!canWrite} maxLength={200} />
        <Textarea {...field('description')} label={workflows.description} autosize disabled={!canWrite} />
        <RecordChoice
          noun="team"
          label={workflows.team}
          placeholder={workflows.noTeam}
          clearable
          value={values.teamId}
          disabled={!canWrite}
          error={errorAt('teamId')}
          onChange={(id) => set('teamId', id)}
        />
        {isNew && (
          <Checkbox
            label={workflows.enabled}
            checked={values.enabled}
            onChange={({ currentTarget }) => set('enabled', currentTarget.checked)}
          />
        )}
      </Section>
      <Section title={workflows.trigger} hint={workflows.triggerHint}>
        <Events
          events={values.trigger.events}
          disabled={!canWrite}
          error={errorAt('trigger.events')}
          onChange={(events) => set('trigger', { events })}
        />
      </Section>
      <Section title={workflows.conditions} hint={workflows.conditionsHint}>
        <ConditionEditor
          group={values.conditions}
          groups={groupsOfEvents(values.trigger.events)}
          disabled={!canWrite}
          errorAt={errorAt}
          onChange={(conditions) => set('conditions', conditions)}
        />
      </Section>
      <Section title={workflows.steps} hint={workflows.stepsHint}>
        <Steps form={form} canWrite={canWrite} />
      </Section>
      {canWrite && (
        <div className={ruleStyles.saveBar}>
          <Button type="submit" size="sm" loading={form.isSending} disabled={!isNew && !form.isChanged}>
            {save}
          </Button>
          {!isNew && form.isChanged && (
            <Button variant="default" size="sm" onClick={() => form.reset()}>
              {workflows.discard}
            </Button>
          )}
          {form.hasFaults && (
            <p role="alert" className={ruleStyles.fault}>
              {workflows.faults}
            </p>
          )}
          {form.error && (
            <p role="alert" className={ruleStyles.fault}>
              {form.error.code === 'VERSION_MISMATCH' ? workflows.changedElsewhere : errorText(form.error)}
            </p>
          )}
        </div>
      )}
      {conflict && (
        <Alert color="yellow" title={workflows.changedElsewhere}>
          <Button variant="default" onClick={conflict}>
            {workflows.reload}
          </Button>
        </Alert>
      )}
    </form>
  );
}

const Section = ({ title, hint, children }: { title: string; hint?: string; children: ReactNode }) => (
  <section className={styles.section}>
    <div>
      <h2>{title}</h2>
      {hint !== undefined && <p className={ruleStyles.hint}>{hint}</p>}
    </div>
    <div className={ruleStyles.fields}>{children}</div>
  </section>
);

interface EventsProps {
  events: WorkflowEvent[];
  onChange: (events: WorkflowEvent[]) => void;
  error: string | undefined;
  disabled: boolean;
}

function Events({ events, onChange, error, disabled }: EventsProps) {
  const nouns = [...new Set(workflowEvents.map(eventNoun))];
  return (
    <>
      {nouns.map((noun) => (
        <div key={noun} className={styles.events} role="group" aria-label={workflows.eventGroups[noun]}>
          <span className={styles.eventNoun}>{workflows.eventGroups[noun]}</span>
          <div className={ruleStyles.chips}>
            {workflowEvents
              .filter((event) => eventNoun(event) === noun)
              .map((event) => (
                <Chip
                  key={event}
                  size="xs"
                  checked={events.includes(event)}
                  disabled={disabled}
                  onChange={(isOn) =>
                    onChange(workflowEvents.filter((one) => (one === event ? isOn : events.includes(one))))
                  }
                >
                  {workflows.eventNames[event]}
                </Chip>
              ))}
          </div>
        </div>
      ))}
      {error !== undefined && (
        <p role="alert" className={ruleStyles.fault}>
          {error}
        </p>
      )}
    </>
  );
}

function Steps({ form, canWrite }: { form: WorkflowFormState; canWrite: boolean }) {
  const { steps } = form.values;
  const change = (next: WorkflowStep[]): void => form.set('steps', next);
  const fault = form.errorAt('steps');
  return (
    <>
      <ol className={styles.steps}>
        {steps.map((step, index) => (
          <StepEditor
            key={index}
            step={step}
            index={index}
            count={steps.length}
            disabled={!canWrite}
            errorAt={(path) => form.errorAt(`steps[${index}].${path}`)}
            onChange={(next) => change(steps.with(index, next))}
            onMove={(by) => change(movedStep(steps, index, by))}
            onRemove={() => change(steps.toSpliced(index, 1))}
          />
        ))}
      </ol>
      {fault !== undefined && (
        <p role="alert" className={ruleStyles.fault}>
          {fault}
        </p>
      )}
      {canWrite && (
        <div>
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" leftSection={<PlusIcon aria-hidden />}>
                {workflows.addStep}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {stepTypes.map((type) => (
                <Menu.Item key={type} onClick={() => change([...steps, newStep(type, steps)])}>
                  {workflows.stepTypes[type]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        </div>
      )}
    </>
  );
}
