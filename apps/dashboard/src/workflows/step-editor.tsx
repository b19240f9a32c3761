/** One step: what it does in words, the settings of its type, and when it runs. */
import { ActionIcon, Checkbox, Group, TextInput } from '@mantine/core';
import { ArrowDownIcon, ArrowUpIcon, Cross2Icon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import { DurationInput } from '../ui/duration-input.js';
import { useRecordNames } from '../ui/record-names.js';
import type { WorkflowStep } from './definition.js';
import { StepFields } from './step-fields.js';
import { stepText } from './words.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

export interface StepEditorProps {
  step: WorkflowStep;
  index: number;
  count: number;
  disabled: boolean;
  /** The fault at a path inside the step. */
  errorAt: (path: string) => string | undefined;
  onChange: (step: WorkflowStep) => void;
  onMove: (by: 1 | -1) => void;
  onRemove: () => void;
}

const states = ['acknowledged', 'resolved'] as const;

export function StepEditor(props: StepEditorProps) {
  const { step, index, count, disabled, errorAt, onChange, onMove, onRemove } = props;
  const workflows = texts.workflows;
  const nameOf = useRecordNames(['member', 'schedule', 'policy']);
  const nth = index + 1;
  const fault = errorAt('type');
  return (
    <li className={styles.step}>
      <div className={styles.stepHead}>
        <span className={styles.stepNumber} aria-hidden>
          {nth}
        </span>
        <div className={styles.stepTitle}>
          <h3>{workflows.stepTypes[step.type]}</h3>
          <p className={ruleStyles.hint}>{stepText(step, nameOf)}</p>
        </div>
        {!disabled && (
          <div className={styles.stepActs}>
            <ActionIcon aria-label={workflows.moveUp(nth)} disabled={index === 0} onClick={() => onMove(-1)}>
              <ArrowUpIcon aria-hidden />
            </ActionIcon>
            <ActionIcon aria-label={workflows.moveDown(nth)} disabled={nth === count} onClick={() => onMove(1)}>
              <ArrowDownIcon aria-hidden />
            </ActionIcon>
            <ActionIcon aria-label={workflows.removeStep(nth)} onClick={onRemove}>
              <Cross2Icon aria-hidden />
            </ActionIcon>
          </div>
        )}
      </div>
      {fault !== undefined && (
        <p role="alert" className={ruleStyles.fault}>
          {fault}
        </p>
      )}
      <div className={styles.stepBody}>
        <StepFields step={step} disabled={disabled} errorAt={errorAt} onChange={onChange} />
        <details open={(step.delaySeconds ?? 0) > 0 || errorAt('id') !== undefined || undefined}>
          <summary>{workflows.step.timing}</summary>
          <div className={ruleStyles.fields}>
            <DurationInput
              label={workflows.step.delay}
              seconds={step.delaySeconds ?? 0}
              disabled={disabled}
              error={errorAt('delaySeconds')}
              onChange={(delaySeconds) => onChange({ ...step, delaySeconds })}
            />
            <Checkbox.Group
              label={workflows.step.unless}
              value={step.unless ?? []}
              error={errorAt('unless')}
              onChange={(next) => onChange({ ...step, unless: states.filter((state) => next.includes(state)) })}
            >
              <Group mt="xs">
                {states.map((state) => (
                  <Checkbox key={state} value={state} disabled={disabled} label={workflows.sentence.states[state]} />
                ))}
              </Group>
            </Checkbox.Group>
            <Checkbox
              label={workflows.step.continueOnError}
              checked={step.continueOnError ?? false}
              disabled={disabled}
              onChange={({ currentTarget }) => onChange({ ...step, continueOnError: currentTarget.checked })}
            />
            <TextInput
              label={workflows.step.id}
              description={workflows.step.idHint}
              value={step.id}
              disabled={disabled}
              error={errorAt('id')}
              onChange={({ currentTarget }) => onChange({ ...step, id: currentTarget.value })}
            />
          </div>
        </details>
      </div>
    </li>
  );
}
