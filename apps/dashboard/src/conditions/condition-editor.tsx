/** A group of conditions, with groups in it. */
import { ActionIcon, Button, NativeSelect, Text } from '@mantine/core';
import { Cross2Icon, PlusIcon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';
import { added, isGroup, pathOfPart, replaced, without, type Group, type GroupKind } from './draft.js';
import type { FieldGroup, Predicate } from './fields.js';
import { PredicateEditor } from './predicate-editor.js';
import styles from './conditions.module.css';

export interface ConditionEditorProps {
  group: Group;
  onChange: (group: Group) => void;
  /** Which fields there are. */
  groups: readonly FieldGroup[];
  errorAt: (path: string) => string | undefined;
  path?: string;
  disabled?: boolean;
  onRemove?: () => void;
}

/** The API refuses more levels than 10; nobody reads more than 4 here. */
const maxDepth = 4;

const kinds: readonly GroupKind[] = ['all', 'any', 'none', 'notAll'];

const firstPredicate = (groups: readonly FieldGroup[]): Predicate =>
  groups.includes('alert')
    ? { field: 'severity', op: 'gte', value: 'high' }
    : groups.includes('incident')
      ? { field: 'incident.severity', op: 'gte', value: 'high' }
      : { field: 'now.weekday', op: 'in', value: [6, 7] };

export function ConditionEditor({ depth = 1, ...props }: ConditionEditorProps & { depth?: number }) {
  const { group, onChange, groups, errorAt, path = 'conditions', disabled = false, onRemove } = props;
  const fault = errorAt(path);
  return (
    <div className={styles.group} data-depth={depth} role="group" aria-label={texts.conditions.kinds[group.kind]}>
      {(group.parts.length > 1 || group.kind !== 'all' || depth > 1) && (
        <div className={styles.groupHead}>
          <NativeSelect
            size="xs"
            aria-label={texts.conditions.group}
            value={group.kind}
            disabled={disabled}
            data={kinds.map((kind) => ({ value: kind, label: texts.conditions.kinds[kind] }))}
            onChange={({ currentTarget }) => onChange({ ...group, kind: currentTarget.value as GroupKind })}
          />
          {onRemove && !disabled && (
            <ActionIcon size="sm" aria-label={texts.conditions.removeGroup} onClick={onRemove}>
              <Cross2Icon aria-hidden />
            </ActionIcon>
          )}
        </div>
      )}
      {group.parts.length === 0 && depth === 1 && <p className={styles.always}>{texts.conditions.always}</p>}
      {group.parts.map((part, index) => {
        const at = pathOfPart(path, group, index);
        const remove = (): void => onChange(without(group, index));
        return isGroup(part) ? (
          <ConditionEditor
            key={index}
            {...props}
            depth={depth + 1}
            group={part}
            path={at}
            onChange={(next) => onChange(replaced(group, index, next))}
            onRemove={remove}
          />
        ) : (
          <PredicateEditor
            key={index}
            predicate={part}
            path={at}
            groups={groups}
            errorAt={errorAt}
            disabled={disabled}
            onChange={(next) => onChange(replaced(group, index, next))}
            onRemove={remove}
          />
        );
      })}
      {fault !== undefined && (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
      {!disabled && (
        <div className={styles.groupFoot}>
          <Button
            variant="subtle"
            leftSection={<PlusIcon aria-hidden />}
            onClick={() => onChange(added(group, firstPredicate(groups)))}
          >
            {texts.conditions.add}
          </Button>
          {depth < maxDepth && group.parts.length > 0 && (
            <Button
              variant="subtle"
              leftSection={<PlusIcon aria-hidden />}
              onClick={() => onChange(added(group, { kind: 'any', parts: [firstPredicate(groups)] }))}
            >
              {texts.conditions.addGroup}
            </Button>
          )}
        </div>
      )}
    </div>
  );
}
