import { Select, TagsInput, TextInput } from '@mantine/core';
import { texts } from '../texts/texts.js';
import { ConditionRows } from './condition-rows.js';
import { FieldRows } from './field-rows.js';
import type { Draft, Mapping } from './mapping.js';
import { PairRows } from './pair-rows.js';
import styles from './mapping.module.css';

export interface MappingFormProps {
  draft: Draft;
  onChange: (draft: Draft) => void;
  /** The fault at a path, such as `fieldMappings[0].source`. */
  errorAt: (path: string) => string | undefined;
}

const choicesOf = (words: Readonly<Record<string, string>>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }));

export function MappingForm({ draft, onChange, errorAt }: MappingFormProps) {
  const said = texts.integrations.mapping;
  const set = <Name extends keyof Draft>(name: Name, value: Draft[Name]): void => onChange({ ...draft, [name]: value });
  return (
    <>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{said.fields}</legend>
        <p className={styles.hint}>{said.fieldsHint}</p>
        <FieldRows rules={draft.fieldMappings} onChange={(rules) => set('fieldMappings', rules)} errorAt={errorAt} />
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{said.severityMap}</legend>
        <p className={styles.hint}>{said.severityMapHint}</p>
        <PairRows
          pairs={draft.severityMap}
          onChange={(pairs) => set('severityMap', pairs)}
          name={said.word}
          value={said.meaning}
          choices={choicesOf(texts.ui.severity)}
          add={said.addWord}
          remove={said.removeWord}
          errorAt={(word) => errorAt(`severityMap.${word}`)}
        />
        <Select
          label={said.defaultSeverity}
          placeholder={said.defaultSeverityNone}
          clearable
          value={draft.defaultSeverity}
          onChange={(next) => set('defaultSeverity', next as Mapping['defaultSeverity'])}
          data={choicesOf(texts.ui.severity)}
          error={errorAt('defaultSeverity')}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{said.statusMap}</legend>
        <p className={styles.hint}>{said.statusMapHint}</p>
        <PairRows
          pairs={draft.statusMap}
          onChange={(pairs) => set('statusMap', pairs)}
          name={said.word}
          value={said.meaning}
          choices={choicesOf(texts.ui.alertStatus)}
          add={said.addWord}
          remove={said.removeWord}
          errorAt={(word) => errorAt(`statusMap.${word}`)}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{said.staticLabels}</legend>
        <PairRows
          pairs={draft.staticLabels}
          onChange={(pairs) => set('staticLabels', pairs)}
          name={said.labelName}
          value={said.labelValue}
          add={said.addLabel}
          remove={said.removeWord}
          errorAt={(name) => errorAt(`staticLabels.${name}`)}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{said.ignoreWhen}</legend>
        <p className={styles.hint}>{said.ignoreWhenHint}</p>
        <ConditionRows
          conditions={draft.ignoreWhen}
          onChange={(conditions) => set('ignoreWhen', conditions)}
          errorAt={errorAt}
        />
      </fieldset>
      <fieldset className={styles.group}>
        <legend className={styles.legend}>{said.payload}</legend>
        <TextInput
          label={said.itemsPath}
          description={said.itemsPathHint}
          value={draft.itemsPath ?? ''}
          onChange={({ currentTarget }) => set('itemsPath', currentTarget.value)}
          error={errorAt('itemsPath')}
        />
        <TagsInput
          label={said.parseJson}
          description={said.parseJsonHint}
          value={draft.parseJson}
          onChange={(paths) => set('parseJson', paths)}
          error={errorAt('parseJson') ?? errorAt('parseJson[0]')}
        />
      </fieldset>
    </>
  );
}
