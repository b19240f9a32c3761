import { predicateHolds } from './condition.js';
import { conditionLimits, type Condition, type Predicate } from './condition-schema.js';
import { validateCondition, validatePredicate } from './condition-check.js';
import { alert, facts } from '../../testing/condition-facts.js';

// --- Validation -----------------------------------------------------------------------------------------------------

const faultsAt = (input: unknown) => validateCondition(input, 'conditions').map(({ path, rule }) => `${path}: ${rule}`);
const nested = (depth: number): Condition =>
  depth === 1 ? { field: 'title', op: 'eq', value: 'a' } : { not: nested(depth - 1) };
const wide = (nodes: number) => ({
  all: Array.from({ length: nodes - 1 }, () => ({ field: 'title', op: 'eq', value: 'a' })),
});
const fromJson = (text: string): unknown => JSON.parse(text);

describe('validateCondition', () => {
  test.each<[string, unknown]>([
    ['null', null],
    ['ten levels', nested(conditionLimits.depth)],
    ['two hundred nodes', wide(conditionLimits.nodes)],
    ['a pattern of 1,000 characters', { field: 'title', op: 'matches', value: 'a'.repeat(1_000) }],
    ['a hundred values', { field: 'labels.a', op: 'in', value: Array.from({ length: 100 }, (_, index) => index) }],
    ['a zone', { field: 'now.time', op: 'lt', value: '08:00', timezone: 'Europe/Berlin' }],
    ['severities in any case', { field: 'incident.severity', op: 'in', value: ['HIGH', 'Low'] }],
    ['a number as text for a label', { field: 'labels.cpu', op: 'gt', value: '-1.5e3' }],
    ['a leap day', { field: 'now.date', op: 'lt', value: '2028-02-29' }],
  ])('takes %s', (_name, input) => expect(faultsAt(input)).toEqual([]));

  test.each<[string, unknown, string[]]>([
    ['text', 'title eq a', ['conditions: type']],
    ['a list', [], ['conditions: type']],
    ['nothing', {}, ['conditions.field: required', 'conditions.op: required', 'conditions.value: required']],
    ['null below', { not: null }, ['conditions.not: type']],
    [
      'all and any',
      { all: [nested(1)], any: [{}] },
      [
        'conditions: exclusive',
        'conditions.any[0].field: required',
        'conditions.any[0].op: required',
        'conditions.any[0].value: required',
      ],
    ],
    ['an empty all', { all: [] }, ['conditions.all: required']],
    ['an empty any', { any: [] }, ['conditions.any: required']],
    ['an all that is not a list', { all: {} }, ['conditions.all: type']],
    ['a not that is a list', { not: [] }, ['conditions.not: type']],
    ['a group with a field', { all: [nested(1)], field: 'title' }, ['conditions.field: unknown']],
    ['an unknown key', { ...nested(1), values: [] }, ['conditions.values: unknown']],
    ['an unknown field', { field: 'titel', op: 'eq', value: 'a' }, ['conditions.field: enum']],
    ['all labels', { field: 'labels.*', op: 'eq', value: 'a' }, ['conditions.field: enum']],
    ['labels without a key', { field: 'labels', op: 'exists', value: true }, ['conditions.field: enum']],
    ['a field that is not a text', { field: 5, op: 'eq', value: 'a' }, ['conditions.field: type']],
    ['an unknown operator', { field: 'title', op: 'equals', value: 'a' }, ['conditions.op: enum']],
    ['an inherited operator', { field: 'title', op: 'constructor', value: 'a' }, ['conditions.op: enum']],
    ['an operator that does not fit a text', { field: 'title', op: 'gt', value: 'a' }, ['conditions.op: enum']],
    [
      'an operator that does not fit a status',
      { field: 'status', op: 'gte', value: 'firing' },
      ['conditions.op: enum'],
    ],
    [
      'an operator that does not fit a severity',
      { field: 'severity', op: 'contains', value: 'high' },
      ['conditions.op: enum'],
    ],
    ['no value', { field: 'title', op: 'eq' }, ['conditions.value: required']],
    ['null as value', { field: 'title', op: 'eq', value: null }, ['conditions.value: required']],
    ['a number for a text', { field: 'title', op: 'eq', value: 5 }, ['conditions.value: type']],
    ['a text for a number', { field: 'occurrenceCount', op: 'gt', value: '5' }, ['conditions.value: type']],
    ['a boolean for a label', { field: 'labels.a', op: 'eq', value: true }, ['conditions.value: type']],
    ['a word to order a label by', { field: 'labels.a', op: 'gt', value: 'high' }, ['conditions.value: type']],
    ['a list for eq', { field: 'title', op: 'eq', value: ['a'] }, ['conditions.value: type']],
    ['text for in', { field: 'title', op: 'in', value: 'a' }, ['conditions.value: type']],
    ['no values', { field: 'title', op: 'in', value: [] }, ['conditions.value: required']],
    [
      '101 values',
      { field: 'title', op: 'notIn', value: Array.from({ length: 101 }, () => 'a') },
      ['conditions.value: maxItems'],
    ],
    [
      'values of another type',
      { field: 'title', op: 'in', value: ['a', 5, null] },
      ['conditions.value[1]: type', 'conditions.value[2]: type'],
    ],
    ['an unknown severity', { field: 'severity', op: 'eq', value: 'warning' }, ['conditions.value: enum']],
    [
      'an unknown severity in a list',
      { field: 'severity', op: 'in', value: ['high', 'worst'] },
      ['conditions.value[1]: enum'],
    ],
    ['an unknown status', { field: 'status', op: 'eq', value: 'triggered' }, ['conditions.value: enum']],
    [
      "an alert's status for an incident",
      { field: 'incident.status', op: 'eq', value: 'firing' },
      ['conditions.value: enum'],
    ],
    ['exists of a word', { field: 'title', op: 'exists', value: 'true' }, ['conditions.value: type']],
    ['an invalid time', { field: 'now.time', op: 'lt', value: '24:00' }, ['conditions.value: format']],
    ['a date that does not exist', { field: 'now.date', op: 'lt', value: '2026-02-29' }, ['conditions.value: format']],
    [
      'a weekday that is none',
      { field: 'now.weekday', op: 'in', value: [0, 8, 1.5] },
      ['conditions.value[0]: range', 'conditions.value[1]: range', 'conditions.value[2]: type'],
    ],
    [
      'a text that is too long',
      { field: 'title', op: 'contains', value: 'x'.repeat(1_025) },
      ['conditions.value: maxLength'],
    ],
    [
      'a pattern that is too long',
      { field: 'title', op: 'matches', value: 'a'.repeat(1_001) },
      ['conditions.value: maxLength'],
    ],
    ['an invalid pattern', { field: 'title', op: 'matches', value: '(a' }, ['conditions.value: syntax']],
    ['a back-reference', { field: 'title', op: 'matches', value: '(a)\\1' }, ['conditions.value: syntax']],
    [
      'a pattern that repeats too much',
      { field: 'title', op: 'matches', value: '(?:a?){1000}(?:b?){1000}' },
      ['conditions.value: complexity'],
    ],
    [
      'patterns that are too much together',
      { any: Array.from({ length: 3 }, () => ({ field: 'title', op: 'matches', value: 'a'.repeat(900) })) },
      ['conditions.any[2].value: complexity'],
    ],
    [
      'a zone that is none',
      { field: 'now.time', op: 'lt', value: '08:00', timezone: 'Europe/Atlantis' },
      ['conditions.timezone: timezone'],
    ],
    [
      'an offset',
      { field: 'now.time', op: 'lt', value: '08:00', timezone: '+01:00' },
      ['conditions.timezone: timezone'],
    ],
    [
      'a zone for a title',
      { field: 'title', op: 'eq', value: 'a', timezone: 'UTC' },
      ['conditions.timezone: exclusive'],
    ],
    ['eleven levels', nested(11), [`conditions${'.not'.repeat(10)}: maxDepth`]],
    ['201 nodes', wide(201), ['conditions.all[199]: maxItems']],
    ['a hundred thousand nodes', wide(100_000), ['conditions.all[199]: maxItems']],
    [
      'a prototype',
      fromJson('{"__proto__": {"field": "title", "op": "eq", "value": "a"}}'),
      [
        'conditions.__proto__: unknown',
        'conditions.field: required',
        'conditions.op: required',
        'conditions.value: required',
      ],
    ],
    ['the label __proto__', { field: 'labels.__proto__', op: 'exists', value: true }, ['conditions.field: enum']],
    [
      'several faults at once',
      {
        all: [
          nested(1),
          { any: [{ field: 'title', op: 'eq', value: 1 }, { not: { field: 'severity', op: 'gt', value: 'bad' } }] },
          { field: 'x', op: 'y' },
        ],
      },
      [
        'conditions.all[2].op: enum',
        'conditions.all[2].value: required',
        'conditions.all[1].any[0].value: type',
        'conditions.all[1].any[1].not.value: enum',
        'conditions.all[2].field: enum',
      ],
    ],
  ])('refuses %s', (_name, input, expected) => expect(faultsAt(input)).toEqual(expected));

  test('the set of allowed fields can be restricted', () => {
    const options = { fields: (field: string) => !field.startsWith('now.') };
    expect(validateCondition({ field: 'now.time', op: 'lt', value: '08:00' }, 'conditions', options)).toMatchObject([
      { path: 'conditions.field', rule: 'enum' },
    ]);
    expect(validateCondition({ field: 'labels.a', op: 'eq', value: 'b' }, 'conditions', options)).toEqual([]);
  });

  test('a single predicate is not a group and not null', () => {
    expect(validatePredicate({ field: 'labels.a', op: 'eq', value: 'b' }, 'matchers[0]')).toEqual([]);
    expect(validatePredicate(null, 'matchers[0]')).toMatchObject([{ path: 'matchers[0]', rule: 'type' }]);
    expect(validatePredicate({ all: [nested(1)] }, 'matchers[0]').map(({ path }) => path)).toEqual([
      'matchers[0].all',
      'matchers[0].field',
      'matchers[0].op',
      'matchers[0].value',
    ]);
  });

  test('there are at most 200 errors, each with a message', () => {
    const faults = validateCondition(
      Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`key${index}`, 1])),
      'conditions',
    );
    expect(faults).toHaveLength(200);
    expect(faults.every(({ message }) => message !== '')).toBe(true);
  });
});

test('patterns that would block a backtracking engine, or have the highest cost, run in linear time', () => {
  const worst: Predicate = { field: 'description', op: 'matches', value: '(?:(?:a|ab)?){600}[^ab]$' };
  expect(validateCondition({ any: Array.from({ length: 199 }, () => worst) }, 'conditions')).toMatchObject([
    { path: 'conditions.any[0].value', rule: 'complexity' },
  ]);
  const catastrophic: Predicate = { field: 'description', op: 'matches', value: '(?:(?:a*)*)*[bc]$' };
  expect(validateCondition(catastrophic, 'conditions')).toEqual([]);
  expect(predicateHolds(catastrophic, { ...facts, alert: { ...alert, description: 'a'.repeat(32_768) } })).toBe(false);
});
