/** A step that notifies: its recipients, and what they are told. */
import { ActionIcon, Button, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import { RecordChoice } from '../ui/record-choice.js';
import { newTarget, targetTypeOf, targetTypes, type StepOf, type Target, type TargetType } from './definition.js';
import type { StepFieldsProps } from './step-fields.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './workflows.module.css';

const { step: words, sentence } = texts.workflows;
const channels = ['slack', 'teams', 'mattermost', 'discord', 'webhook'] as const;

export function NotifyFields({ step, disabled, errorAt, onChange }: StepFieldsProps<StepOf<'notify'>>) {
  const { params } = step;
  const { targets } = params;
  const change = (changed: Partial<typeof params>): void => onChange({ ...step, params: { ...params, ...changed } });
  const fault = errorAt('params.targets');
  return (
    <>
      <div role="group" aria-label={words.targets} className={ruleStyles.fields}>
        {targets.map((target, index) => (
          <div key={index} className={styles.target}>
            <NativeSelect
              aria-label={words.targetType}
              size="sm"
              value={targetTypeOf(target)}
              disabled={disabled}
              data={targetTypes.map((value) => ({ value, label: words.targetTypes[value] }))}
              onChange={({ currentTarget }) =>
                change({ targets: targets.with(index, newTarget(currentTarget.value as TargetType)) })
              }
            />
            <div className={styles.targetFields}>
              <TargetFields
                target={target}
                disabled={disabled}
                errorAt={(path) => errorAt(`params.targets[${index}].${path}`)}
                onChange={(next) => change({ targets: targets.with(index, next) })}
              />
            </div>
            {!disabled && (
              <ActionIcon
                mt="xs"
                aria-label={words.removeTarget(index + 1)}
                onClick={() => change({ targets: targets.toSpliced(index, 1) })}
              >
                <Cross2Icon aria-hidden />
              </ActionIcon>
            )}
          </div>
        ))}
        {fault !== undefined && (
          <p role="alert" className={ruleStyles.fault}>
            {fault}
          </p>
        )}
        {!disabled && (
          <div>
            <Button
              variant="subtle"
              leftSection={<PlusIcon aria-hidden />}
              onClick={() => change({ targets: [...targets, newTarget('user')] })}
            >
              {words.addTarget}
            </Button>
          </div>
        )}
      </div>
      <TextInput
        label={words.subject}
        placeholder={words.standard}
        value={params.subject ?? ''}
        disabled={disabled}
        error={errorAt('params.subject')}
        onChange={({ currentTarget }) => change({ subject: currentTarget.value || null })}
      />
      <Textarea
        label={words.message}
        placeholder={words.standard}
        autosize
        minRows={1}
        maxRows={12}
        value={params.message ?? ''}
        disabled={disabled}
        error={errorAt('params.message')}
        onChange={({ currentTarget }) => change({ message: currentTarget.value || null })}
      />
    </>
  );
}

interface TargetFieldsProps {
  target: Target;
  disabled: boolean;
  errorAt: (path: string) => string | undefined;
  onChange: (target: Target) => void;
}

function TargetFields({ target, disabled, errorAt, onChange }: TargetFieldsProps) {
  const shared = { size: 'sm', disabled } as const;
  switch (target.type) {
    case 'user':
      return (
        <RecordChoice
          {...shared}
          noun="member"
          aria-label={words.member}
          placeholder={words.member}
          value={target.id}
          error={errorAt('id')}
          onChange={(id) => onChange({ ...target, id: id ?? '' })}
        />
      );
    case 'schedule':
      return (
        <>
          <RecordChoice
            {...shared}
            noun="schedule"
            aria-label={words.schedule}
            placeholder={words.schedule}
            value={target.id}
            error={errorAt('id')}
            onChange={(id) => onChange({ ...target, id: id ?? '' })}
          />
          <NativeSelect
            {...shared}
            aria-label={words.who}
            value={target.who ?? 'current'}
            data={[
              { value: 'current', label: words.whoNow },
              { value: 'next', label: words.whoNext },
            ]}
            onChange={({ currentTarget }) => onChange({ ...target, who: currentTarget.value as 'current' | 'next' })}
          />
        </>
      );
    case 'email':
      return typeof target.addressFrom === 'string' ? (
        <TextInput
          {...shared}
          aria-label={words.addressFrom}
          placeholder={words.addressFrom}
          value={target.addressFrom}
          error={errorAt('addressFrom')}
          onChange={({ currentTarget }) => onChange({ ...target, addressFrom: currentTarget.value })}
        />
      ) : (
        <TextInput
          {...shared}
          type="email"
          aria-label={words.address}
          placeholder={words.address}
          value={target.address ?? ''}
          error={errorAt('address')}
          onChange={({ currentTarget }) => onChange({ ...target, address: currentTarget.value })}
        />
      );
    case 'channel':
      return (
        <>
          <NativeSelect
            {...shared}
            aria-label={words.channelKind}
            value={target.kind}
            data={channels.map((value) => ({ value, label: sentence.channel[value] }))}
            onChange={({ currentTarget }) =>
              onChange({ ...target, kind: currentTarget.value as (typeof channels)[number], secret: null })
            }
          />
          <TextInput
            {...shared}
            type="url"
            aria-label={words.url}
            placeholder={words.url}
            value={target.url}
            error={errorAt('url')}
            onChange={({ currentTarget }) => onChange({ ...target, url: currentTarget.value })}
          />
          {target.kind === 'webhook' && (
            <TextInput
              {...shared}
              aria-label={words.secret}
              placeholder={words.secret}
              autoComplete="off"
              value={target.secret ?? ''}
              error={errorAt('secret')}
              onChange={({ currentTarget }) => onChange({ ...target, secret: currentTarget.value || null })}
            />
          )}
        </>
      );
  }
}
