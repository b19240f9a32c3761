import fc from 'fast-check';
import { conditionHolds, explainCondition, predicateHolds, type TraceNode } from './condition.js';
import { type Condition } from './condition-schema.js';
import { validateCondition, validatePredicate } from './condition-check.js';
import type { ConditionFacts } from './condition-facts.js';
import { operators, type Operator } from './condition-fields.js';
import { alertStatuses } from '../alerts/alert-status.js';
import { incidentStatuses } from '../incidents/incident-status.js';
import { severities } from '../alerts/severity.js';

const fromJson = (text: string): unknown => JSON.parse(text);

const word = fc.constantFrom('a', 'b', 'ab', 'A', '', '5', '10', 'eu', '__proto__', 'constructor', '\ud800', '☃');
const anyText = fc.oneof(word, fc.string({ maxLength: 20, unit: 'binary' }));
const bag = fc.oneof(
  fc.dictionary(fc.constantFrom('a', 'b.c', 'n', 'toString'), anyText),
  fc.constant(fromJson('{"__proto__": "polluted"}') as Record<string, string>),
);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { freq: 3 });

const anyAlert = fc.record({
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
});

const anyFacts: fc.Arbitrary<ConditionFacts> = fc.record({
  alert: orNull(anyAlert),
  alerts: fc.array(anyAlert, { maxLength: 3 }),
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
  'alerts.any.severity',
  'alerts.any.labels.a',
  'alerts.any.occurrenceCount',
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

  test('a predicate on alerts.any holds when it holds for one of the alerts', () => {
    fc.assert(
      fc.property(validPredicate, anyFacts, (predicate, some) => {
        const field = predicate.field.replace('alerts.any.', '');
        fc.pre(predicate.field.startsWith('alerts.any.') || /^(labels|annotations|severity|title)/.test(field));
        expect(predicateHolds({ ...predicate, field: `alerts.any.${field}` }, some)).toBe(
          some.alerts?.some((alert) => predicateHolds({ ...predicate, field }, { ...some, alert })),
        );
      }),
    );
  });

  test("pairs of operators are each other's inverse, for fields with one value", () => {
    fc.assert(
      fc.property(
        validPredicate.filter(({ field }) => !field.startsWith('alerts.any.')),
        anyFacts,
        (predicate, some) => {
          const answer = (op: Operator) => predicateHolds({ ...predicate, op }, some);
          expect(answer('neq')).toBe(!answer('eq'));
          expect(answer('notIn')).toBe(!answer('in'));
          if (answer('gt')) expect([answer('gte'), answer('lte'), answer('lt')]).toEqual([true, false, false]);
          if (answer('lt')) expect([answer('lte'), answer('gte'), answer('gt')]).toEqual([true, false, false]);
        },
      ),
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
      { numRuns: 300 },
    );
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});
