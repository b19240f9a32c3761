import { clientIdsIn, conditionOf, draftOf, pathOfPart, type Draft } from './draft.js';
import type { Condition } from './fields.js';

const one: Condition = { field: 'severity', op: 'gte', value: 'high' };
const other: Condition = { field: 'clientId', op: 'in', value: ['cli_1', 'cli_2'] };

test.each<[string, Condition | null]>([
  ['no condition', null],
  ['all', { all: [one, other] }],
  ['any in all', { all: [one, { any: [one, other] }] }],
  ['none', { not: { any: [one, other] } }],
  ['not all', { all: [{ not: { all: [one, other] } }] }],
])('%s stays what it is', (_name, condition) => expect(conditionOf(draftOf(condition))).toEqual(condition));

test('a comparison becomes a group of one, and an empty group is left out', () => {
  expect(conditionOf(draftOf(one))).toEqual({ all: [one] });
  expect(conditionOf(draftOf({ not: one }))).toEqual({ not: { any: [one] } });
  expect(conditionOf({ kind: 'all', parts: [one, { kind: 'any', parts: [] }] })).toEqual({ all: [one] });
});

test('paths are those of the condition that is sent', () => {
  const empty: Draft = { kind: 'any', parts: [] };
  expect(pathOfPart('conditions', { kind: 'all', parts: [empty, one] }, 1)).toBe('conditions.all[0]');
  expect(pathOfPart('conditions', { kind: 'none', parts: [one, one] }, 1)).toBe('conditions.not.any[1]');
});

test('the clients that it names', () =>
  expect(clientIdsIn({ all: [one, { not: other }] })).toEqual(['cli_1', 'cli_2']));
