import { ActionIcon, Autocomplete, Button, Select, TagsInput, TextInput } from '@mantine/core';
import { Cross2Icon, DotsHorizontalIcon, PlusIcon } from '@radix-ui/react-icons';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { kindOf, ruleKinds, sourcesOf, withKind, withSources, withText, type Rule, type RuleKind } from './mapping.js';
import styles from './mapping.module.css';

const targets = [
  'title',
  'severity',
  'status',
  'source',
  'description',
  'fingerprint',
  'occurredAt',
  'labels.',
  'labels.*',
  'annotations.',
  'annotations.*',
];

export interface FieldRowsProps {
  rules: readonly Rule[];
  onChange: (rules: Rule[]) => void;
  errorAt: (path: string) => string | undefined;
}

export function FieldRows({ rules, onChange, errorAt }: FieldRowsProps) {
  const said = texts.integrations.mapping;
  return (
    <>
      {rules.map((rule, i) => (
        <FieldRow
          key={i}
          rule={rule}
          onChange={(next) => onChange(rules.with(i, next))}
          onRemove={() => onChange(rules.toSpliced(i, 1))}
          errorAt={(name) => errorAt(`fieldMappings[${i}]${name}`)}
        />
      ))}
      <div className={styles.row}>
        <Button
          variant="default"
          leftSection={<PlusIcon aria-hidden />}
          onClick={() => onChange([...rules, { target: '', source: '' }])}
        >
          {said.addField}
        </Button>
      </div>
    </>
  );
}

interface FieldRowProps {
  rule: Rule;
  onChange: (rule: Rule) => void;
  onRemove: () => void;
  /** `.source`. */
  errorAt: (name: string) => string | undefined;
}

function FieldRow({ rule, onChange, onRemove, errorAt }: FieldRowProps) {
  const said = texts.integrations.mapping;
  const [isOpen, setOpen] = useState(rule.default !== undefined || rule.extract !== undefined);
  const kind = kindOf(rule);
  return (
    <div className={styles.rule}>
      <Autocomplete
        aria-label={said.target}
        placeholder={said.target}
        value={rule.target}
        onChange={(target) => onChange({ ...rule, target })}
        data={targets}
        error={errorAt('.target') ?? errorAt('')}
      />
      <Select
        aria-label={said.kind}
        allowDeselect={false}
        value={kind}
        onChange={(next) => onChange(withKind(rule, (next ?? 'source') as RuleKind))}
        data={ruleKinds.map((value) => ({ value, label: said.kinds[value] }))}
      />
      <div className={styles.value}>
        <FieldValue rule={rule} kind={kind} onChange={onChange} error={errorAt(`.${kind}`) ?? errorAt('.source[0]')} />
      </div>
      <ActionIcon.Group>
        <ActionIcon aria-label={said.more} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} size="lg">
          <DotsHorizontalIcon aria-hidden />
        </ActionIcon>
        <ActionIcon aria-label={said.removeField(rule.target)} onClick={onRemove} size="lg">
          <Cross2Icon aria-hidden />
        </ActionIcon>
      </ActionIcon.Group>
      {isOpen && (
        <div className={styles.more}>
          <TextInput
            label={said.default}
            value={rule.default === undefined ? '' : String(rule.default)}
            onChange={({ currentTarget }) => onChange(withText(rule, 'default', currentTarget.value))}
            error={errorAt('.default')}
          />
          <TextInput
            label={said.extract}
            value={rule.extract ?? ''}
            onChange={({ currentTarget }) => onChange(withText(rule, 'extract', currentTarget.value))}
            error={errorAt('.extract')}
          />
        </div>
      )}
    </div>
  );
}

interface FieldValueProps {
  rule: Rule;
  kind: RuleKind;
  onChange: (rule: Rule) => void;
  error: string | undefined;
}

function FieldValue({ rule, kind, onChange, error }: FieldValueProps) {
  const said = texts.integrations.mapping;
  if (kind === 'source') {
    const sources = sourcesOf(rule).filter((source) => source !== '');
    return (
      <TagsInput
        aria-label={said.source}
        placeholder={sources.length === 0 ? said.source : undefined}
        value={sources}
        onChange={(next) => onChange(withSources(rule, next))}
        splitChars={[]}
        acceptValueOnBlur
        error={error}
      />
    );
  }
  return (
    <TextInput
      aria-label={said.kinds[kind]}
      placeholder={kind === 'template' ? said.template : said.constant}
      value={String(kind === 'template' ? (rule.template ?? '') : (rule.value ?? ''))}
      onChange={({ currentTarget }) => onChange({ ...rule, [kind]: currentTarget.value })}
      error={error}
    />
  );
}
