/**
 * A condition as it is edited: groups with conditions and groups in them. `none` and `notAll` are the two groups with a
 * `not` around them. Paths are those of the condition that is sent, as faults name them.
 */
import { fieldOf, type Condition, type Predicate } from './fields.js';

export type GroupKind = 'all' | 'any' | 'none' | 'notAll';

export interface Group {
  kind: GroupKind;
  parts: Draft[];
}

export type Draft = Group | Predicate;

export const isGroup = (draft: Draft): draft is Group => 'parts' in draft;

/** The root is always a group, so that a condition can be added to it. Null, no condition, is an empty one. */
export function draftOf(condition: Condition | null): Group {
  if (condition === null) return { kind: 'all', parts: [] };
  const draft = partOf(condition);
  return isGroup(draft) ? draft : { kind: 'all', parts: [draft] };
}

function partOf(condition: Condition): Draft {
  if ('all' in condition) return { kind: 'all', parts: condition.all.map(partOf) };
  if ('any' in condition) return { kind: 'any', parts: condition.any.map(partOf) };
  if (!('not' in condition)) return condition;
  const inner = partOf(condition.not);
  if (isGroup(inner) && inner.kind === 'any') return { kind: 'none', parts: inner.parts };
  if (isGroup(inner) && inner.kind === 'all') return { kind: 'notAll', parts: inner.parts };
  return { kind: 'none', parts: [inner] };
}

/** Groups without conditions are left out; null when nothing is left. */
export function conditionOf(draft: Draft): Condition | null {
  if (!isGroup(draft)) return draft;
  const parts = draft.parts.map(conditionOf).filter((part) => part !== null);
  if (parts.length === 0) return null;
  switch (draft.kind) {
    case 'all':
      return { all: parts };
    case 'any':
      return { any: parts };
    case 'none':
      return { not: { any: parts } };
    case 'notAll':
      return { not: { all: parts } };
  }
}

const steps: Readonly<Record<GroupKind, string>> = { all: 'all', any: 'any', none: 'not.any', notAll: 'not.all' };

/** The path of a part of a group, in the condition that is sent. */
export function pathOfPart(path: string, { kind, parts }: Group, index: number): string {
  const sent = parts.slice(0, index).filter((part) => conditionOf(part) !== null).length;
  return `${path}.${steps[kind]}[${sent}]`;
}

export const replaced = (group: Group, index: number, part: Draft): Group => ({
  ...group,
  parts: group.parts.with(index, part),
});

export const without = (group: Group, index: number): Group => ({ ...group, parts: group.parts.toSpliced(index, 1) });

export const added = (group: Group, part: Draft): Group => ({ ...group, parts: [...group.parts, part] });

/** The clients that a condition names by their ids. */
export function clientIdsIn(condition: Condition | null): string[] {
  if (condition === null) return [];
  if ('all' in condition) return condition.all.flatMap(clientIdsIn);
  if ('any' in condition) return condition.any.flatMap(clientIdsIn);
  if ('not' in condition) return clientIdsIn(condition.not);
  if (fieldOf(condition.field)?.noun !== 'client') return [];
  return [condition.value].flat().filter((value): value is string => typeof value === 'string' && value !== '');
}
