import fc from 'fast-check';
import { conditionHolds, explainCondition, predicateHolds, type TraceNode } from './condition.js';
import { conditionLimits, type Condition, type Predicate } from './condition-schema.js';
import { validateCondition, validatePredicate } from './condition-check.js';
import type { AlertFacts, ConditionFacts } from './condition-facts.js';
import { fieldValue, operators, type Operator } from './condition-fields.js';
import { alertStatuses } from '../alerts/alert-status.js';
import { incidentStatuses } from '../incidents/incident-status.js';
import { severities } from '../alerts/severity.js';

const alert: AlertFacts = {
  title: 'CPU above 90 %',
  description: 'first line\nsecond line',
  severity: 'high',
  status: 'firing',
  source: 'Zabbix',
  fingerprint: 'cpu-web-01',
  labels: { region: 'eu', 'app.kubernetes.io/name': 'shop', cpu: '92.5', version: '10', empty: '', unit: '90%' },
  annotations: { runbook: 'https://wiki/cpu' },
  clientId: 'cli_1',
  integrationId: 'int_1',
  incidentId: null,
  assigneeId: null,
  occurrenceCount: 3,
};
const facts: ConditionFacts = {
  alert,
  client: { id: 'cli_1', name: 'Acme', slug: 'acme', externalId: null },
  integration: { id: 'int_1', name: 'Zabbix of Acme', type: 'zabbix' },
  incident: null,
  now: '2026-03-29T21:30:00.000Z', // a Sunday; at Kolkata it is Monday 03:00 plus half an hour
};
const incident: ConditionFacts['incident'] = {
  number: 42,
  title: 'Shop is slow',
  summary: null,
  severity: 'critical',
  status: 'acknowledged',
  clientId: 'cli_1',
  alertCount: 4,
  openAlertCount: 2,
};

const holds = (field: string, op: Operator, value: unknown, timezone?: string) =>
  predicateHolds(timezone === undefined ? { field, op, value } : { field, op, value, timezone }, {
    ...facts,
    incident,
  });

describe('predicates', () => {
  test.each<[string, Operator, unknown, boolean]>([
    ['title', 'eq', 'CPU above 90 %', true],
    ['title', 'eq', 'cpu above 90 %', false],
    ['title', 'neq', 'cpu above 90 %', true],
    ['title', 'contains', 'above', true],
    ['title', 'contains', 'Above', false],
    ['title', 'startsWith', 'CPU', true],
    ['title', 'endsWith', '%', true],
    ['title', 'endsWith', 'CPU', false],
    ['title', 'matches', '\\d+ %', true],
    ['title', 'matches', '^\\d+ %', false],
    ['title', 'matches', '(?i)^cpu', true],
    ['description', 'matches', 'first.*second', true],
    ['title', 'in', ['a', 'CPU above 90 %'], true],
    ['title', 'notIn', ['a', 'CPU above 90 %'], false],
    ['title', 'exists', true, true],
    ['title', 'exists', false, false],
    ['severity', 'eq', 'HIGH', true],
    ['severity', 'in', ['Critical', 'High'], true],
    ['severity', 'gte', 'high', true],
    ['severity', 'gt', 'high', false],
    ['severity', 'gt', 'medium', true],
    ['severity', 'lt', 'Critical', true],
    ['severity', 'lte', 'info', false],
    ['status', 'eq', 'Firing', true],
    ['status', 'neq', 'firing', false],
    ['occurrenceCount', 'eq', 3, true],
    ['occurrenceCount', 'in', [1, 2], false],
    ['occurrenceCount', 'gte', 3, true],
    ['occurrenceCount', 'lt', 3, false],
    ['labels.region', 'eq', 'eu', true],
    ['labels.region', 'eq', 'EU', false],
    ['labels.app.kubernetes.io/name', 'eq', 'shop', true],
    ['labels.empty', 'exists', true, true],
    ['labels.empty', 'eq', '', true],
    ['labels.cpu', 'gt', 90, true],
    ['labels.cpu', 'gt', '90', true],
    ['labels.cpu', 'eq', 92.5, true],
    ['labels.cpu', 'eq', '92.50', false],
    ['labels.version', 'gt', '9', true],
    ['labels.version', 'in', [10, 11], true],
    ['labels.unit', 'gt', 10, false],
    ['labels.unit', 'lte', 10, false],
    ['labels.region', 'neq', 5, true],
    ['annotations.runbook', 'startsWith', 'https://', true],
    ['clientId', 'eq', 'cli_1', true],
    ['integrationId', 'eq', 'int_1', true],
    ['client.id', 'eq', 'cli_1', true],
    ['client.slug', 'eq', 'acme', true],
    ['client.name', 'eq', 'Acme', true],
    ['client.externalId', 'exists', true, false],
    ['integration.name', 'contains', 'Acme', true],
    ['integration.type', 'in', ['zabbix'], true],
    ['incident.number', 'eq', 42, true],
    ['incident.severity', 'gt', 'high', true],
    ['incident.status', 'eq', 'ACKNOWLEDGED', true],
    ['incident.openAlertCount', 'lt', 3, true],
    ['now.time', 'gte', '21:30', true],
    ['now.time', 'lt', '21:30', false],
    ['now.weekday', 'eq', 7, true],
    ['now.weekday', 'in', [1, 2, 3, 4, 5], false],
    ['now.date', 'eq', '2026-03-29', true],
    ['now.date', 'gt', '2026-03-28', true],
  ])('%s %s %j: %s', (field, op, value, expected) => expect(holds(field, op, value)).toBe(expected));

  test.each<[string, string, string, number, string]>([
    ['Europe/Berlin', '2026-03-29T00:59:00.000Z', '01:59', 7, '2026-03-29'],
    ['Europe/Berlin', '2026-03-29T01:00:00.000Z', '03:00', 7, '2026-03-29'],
    ['America/New_York', '2026-03-30T03:59:59.999Z', '23:59', 7, '2026-03-29'],
    ['Asia/Kolkata', '2026-03-29T21:30:00.000Z', '03:00', 1, '2026-03-30'],
    ['UTC', '2026-12-31T23:59:59.999Z', '23:59', 4, '2026-12-31'],
  ])('in %s it is at %s %s, weekday %i, of %s', (timezone, now, time, weekday, date) => {
    const at = { ...facts, now };
    expect([
      fieldValue('now.time', at, timezone),
      fieldValue('now.weekday', at, timezone),
      fieldValue('now.date', at, timezone),
    ]).toEqual([time, weekday, date]);
    expect(predicateHolds({ field: 'now.time', op: 'eq', value: time, timezone }, at)).toBe(true);
  });

  test.each([
    'labels.absent',
    'labels.constructor',
    'labels.toString',
    'annotations.absent',
    'assigneeId',
    'incident.number',
    'incident.severity',
    'client.externalId',
    'no.field',
    '__proto__',
  ])('without a value (%s) only neq, notIn and exists: false hold', (field) => {
    const value: Record<Operator, unknown> = {
      eq: 'a',
      neq: 'a',
      in: ['a'],
      notIn: ['a'],
      contains: '',
      startsWith: '',
      endsWith: '',
      matches: '',
      exists: false,
      gt: 0,
      gte: 0,
      lt: 0,
      lte: 0,
    };
    expect(operators.filter((op) => predicateHolds({ field, op, value: value[op] }, facts))).toEqual([
      'neq',
      'notIn',
      'exists',
    ]);
    expect(predicateHolds({ field, op: 'exists', value: true }, facts)).toBe(false);
  });

  test('all facts may be missing', () => {
    const nothing: ConditionFacts = { alert: null, client: null, integration: null, incident: null, now: facts.now };
    for (const field of ['title', 'severity', 'labels.a', 'client.slug', 'integration.name', 'incident.title'])
      expect(fieldValue(field, nothing)).toBeNull();
  });

  test('stored settings that can no longer be read have no value or match nothing', () => {
    expect(holds('now.time', 'gte', '00:00', 'Europe/Atlantis')).toBe(false);
    expect(holds('title', 'matches', '(')).toBe(false);
    expect(holds('title', 'matches', '(?:.?){1000}(?:.?){1000}')).toBe(false);
  });

  test('more patterns than the cache holds all work correctly', () => {
    const patterns = Array.from({ length: 1_100 }, (_, index) => `^web-${index}$`);
    for (const round of [0, 1]) {
      const matching = patterns.filter((value) =>
        predicateHolds(
          { field: 'title', op: 'matches', value },
          { ...facts, alert: { ...alert, title: `web-${round}` } },
        ),
      );
      expect(matching).toEqual([`^web-${round}$`]);
    }
  });
});

describe('trees', () => {
  const yes: Predicate = { field: 'title', op: 'exists', value: true };
  const no: Predicate = { field: 'labels.absent', op: 'eq', value: 'x' };

  test.each<[string, Condition | null, boolean]>([
    ['no condition', null, true],
    ['all, one of which does not hold', { all: [yes, no] }, false],
    ['all', { all: [yes, { not: no }] }, true],
    ['any', { any: [no, yes] }, true],
    ['any of none that holds', { any: [no, no] }, false],
    ['not', { not: { any: [no, { all: [yes, no] }] } }, true],
  ])('%s', (_name, condition, expected) => {
    expect(conditionHolds(condition, facts)).toBe(expected);
    expect(explainCondition(condition, facts).holds).toBe(expected);
  });

  test('a trace has every node, also those that do not affect the result', () => {
    expect(explainCondition({ all: [no, { not: yes }, { any: [yes, no] }] }, facts)).toEqual({
      holds: false,
      trace: {
        path: 'conditions',
        kind: 'all',
        holds: false,
        children: [
          {
            path: 'conditions.all[0]',
            kind: 'predicate',
            holds: false,
            field: 'labels.absent',
            op: 'eq',
            value: 'x',
            actual: null,
          },
          {
            path: 'conditions.all[1]',
            kind: 'not',
            holds: false,
            children: [
              {
                path: 'conditions.all[1].not',
                kind: 'predicate',
                holds: true,
                field: 'title',
                op: 'exists',
                value: true,
                actual: 'CPU above 90 %',
              },
            ],
          },
          {
            path: 'conditions.all[2]',
            kind: 'any',
            holds: true,
            children: [
              {
                path: 'conditions.all[2].any[0]',
                kind: 'predicate',
                holds: true,
                field: 'title',
                op: 'exists',
                value: true,
                actual: 'CPU above 90 %',
              },
              {
                path: 'conditions.all[2].any[1]',
                kind: 'predicate',
                holds: false,
                field: 'labels.absent',
                op: 'eq',
                value: 'x',
                actual: null,
              },
            ],
          },
        ],
      },
    });
    expect(explainCondition(null, facts)).toEqual({
      holds: true,
      trace: { path: 'conditions', kind: 'always', holds: true },
    });
  });

  test('a trace shows the time zone, and the beginning of a long text', () => {
    const long = { ...facts, alert: { ...alert, description: 'x'.repeat(32_768) } };
    expect(explainCondition({ field: 'description', op: 'endsWith', value: 'x' }, long).trace).toMatchObject({
      holds: true,
      actual: `${'x'.repeat(1_024)}…`,
    });
    expect(
      explainCondition({ field: 'now.time', op: 'eq', value: '03:00', timezone: 'Asia/Kolkata' }, facts).trace,
    ).toMatchObject({ holds: true, actual: '03:00', timezone: 'Asia/Kolkata' });
  });
});

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

// --- Properties -----------------------------------------------------------------------------------------------------

const word = fc.constantFrom('a', 'b', 'ab', 'A', '', '5', '10', 'eu', '__proto__', 'constructor', '\ud800', '☃');
const anyText = fc.oneof(word, fc.string({ maxLength: 20, unit: 'binary' }));
const bag = fc.oneof(
  fc.dictionary(fc.constantFrom('a', 'b.c', 'n', 'toString'), anyText),
  fc.constant(fromJson('{"__proto__": "polluted"}') as Record<string, string>),
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });

const anyFacts: fc.Arbitrary<ConditionFacts> = fc.record({
  alert: orNull(
    fc.record({
      title: anyText,
      description: orNull(anyText),
      severity: fc.constantFrom(...severities),
      status: fc.constantFrom(...alertStatuses),
      source: orNull(anyText),
      fingerprint: anyText,
      labels: bag,
      annotations: bag,
      clientId: orNull(anyText),
      integrationId: anyText,
      incidentId: orNull(anyText),
      assigneeId: orNull(anyText),
      occurrenceCount: fc.nat(),
    }),
  ),
  client: orNull(fc.record({ id: anyText, name: anyText, slug: anyText, externalId: orNull(anyText) })),
  integration: orNull(fc.record({ id: anyText, name: anyText, type: anyText })),
  incident: orNull(
    fc.record({
      number: fc.nat(),
      title: anyText,
      summary: orNull(anyText),
      severity: fc.constantFrom(...severities),
      status: fc.constantFrom(...incidentStatuses),
      clientId: orNull(anyText),
      alertCount: fc.nat(),
      openAlertCount: fc.nat(),
    }),
  ),
  now: fc
    .date({ min: new Date('1970-01-01'), max: new Date('2200-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
});

const fieldNames = [
  'title',
  'description',
  'severity',
  'status',
  'source',
  'fingerprint',
  'clientId',
  'integrationId',
  'incidentId',
  'assigneeId',
  'occurrenceCount',
  'client.id',
  'client.name',
  'client.slug',
  'client.externalId',
  'integration.id',
  'integration.name',
  'integration.type',
  'incident.number',
  'incident.title',
  'incident.summary',
  'incident.severity',
  'incident.status',
  'incident.clientId',
  'incident.alertCount',
  'incident.openAlertCount',
  'labels.a',
  'labels.b.c',
  'labels.n',
  'labels.toString',
  'annotations.a',
  'now.time',
  'now.weekday',
  'now.date',
];
const scalar = fc.oneof(
  word,
  fc.constantFrom(
    ...severities,
    ...alertStatuses,
    ...incidentStatuses,
    '08:30',
    '2026-03-29',
    '[a-z]+',
    '^a|b$',
    '(?i)A',
    'a*',
    '(',
    '.{3}',
  ),
  fc.double(),
  fc.integer({ min: -1, max: 10 }),
  fc.boolean(),
);
const looseValue = fc.oneof(
  { weight: 3, arbitrary: scalar },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
);
const loosePredicate = fc.record(
  {
    field: fc.constantFrom(...fieldNames),
    op: fc.constantFrom(...operators),
    value: looseValue,
    timezone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia', 'Nowhere'),
  },
  { requiredKeys: ['field', 'op', 'value'] },
);
const looseCondition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    loosePredicate,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;
/** Most random predicates are invalid, so predicates are generated until one is valid. */
const validPredicate = loosePredicate.filter((predicate) => validatePredicate(predicate, '').length === 0);
const validCondition: fc.Arbitrary<Condition> = fc.letrec<{ node: Condition }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small' },
    validPredicate,
    fc.record({ all: fc.array(tie('node'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ any: fc.array(tie('node'), { minLength: 1, maxLength: 4 }) }),
    fc.record({ not: tie('node') }),
  ),
})).node;

const leaves = (node: TraceNode): TraceNode[] => ('children' in node ? node.children.flatMap(leaves) : [node]);

describe('properties', () => {
  test('the explanation agrees with the evaluation at every node', () => {
    fc.assert(
      fc.property(validCondition, anyFacts, (condition, some) => {
        const { holds: explained, trace } = explainCondition(condition, some);
        expect(explained).toBe(conditionHolds(condition, some));
        for (const leaf of leaves(trace))
          if (leaf.kind === 'predicate') expect(leaf.holds).toBe(predicateHolds(leaf, some));
      }),
    );
  });

  test("not inverts the result, and all and any are each other's inverse", () => {
    fc.assert(
      fc.property(fc.array(validCondition, { minLength: 1, maxLength: 4 }), anyFacts, (parts, some) => {
        const negated = parts.map((part) => ({ not: part }));
        for (const part of parts) expect(conditionHolds({ not: part }, some)).toBe(!conditionHolds(part, some));
        expect(conditionHolds({ not: { all: parts } }, some)).toBe(conditionHolds({ any: negated }, some));
        expect(conditionHolds({ not: { any: parts } }, some)).toBe(conditionHolds({ all: negated }, some));
      }),
    );
  });

  test("pairs of operators are each other's inverse", () => {
    fc.assert(
      fc.property(validPredicate, anyFacts, (predicate, some) => {
        const answer = (op: Operator) => predicateHolds({ ...predicate, op }, some);
        expect(answer('neq')).toBe(!answer('eq'));
        expect(answer('notIn')).toBe(!answer('in'));
        if (answer('gt')) expect([answer('gte'), answer('lte'), answer('lt')]).toEqual([true, false, false]);
        if (answer('lt')) expect([answer('lte'), answer('gte'), answer('gt')]).toEqual([true, false, false]);
      }),
    );
  });

  test('evaluation never throws, not even for an invalid condition', () => {
    fc.assert(
      fc.property(
        looseCondition,
        anyFacts,
        (condition, some) =>
          typeof conditionHolds(condition, some) === 'boolean' &&
          typeof explainCondition(condition, some).holds === 'boolean',
      ),
    );
  });

  test('validation never throws, reports the path of the error, and valid conditions can be evaluated', () => {
    const key = fc.constantFrom(
      'all',
      'any',
      'not',
      'field',
      'op',
      'value',
      'timezone',
      '__proto__',
      'constructor',
      'x',
    );
    const json = fc.letrec((tie) => ({
      node: fc.oneof(
        { depthSize: 'medium' },
        scalar,
        fc.constant(null),
        fc.constantFrom(...fieldNames, ...operators),
        fc.array(tie('node'), { maxLength: 3 }),
        fc.dictionary(key, tie('node'), { maxKeys: 4 }),
      ),
    })).node;
    fc.assert(
      fc.property(fc.oneof(json, fc.json().map(fromJson), looseCondition), anyFacts, (input, some) => {
        const faults = validateCondition(input, 'conditions');
        expect(
          faults.every(({ path, rule, message }) => path.startsWith('conditions') && rule !== '' && message !== ''),
        ).toBe(true);
        if (faults.length === 0) expect(typeof conditionHolds(input as Condition | null, some)).toBe('boolean');
      }),
      { numRuns: 1_000 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
