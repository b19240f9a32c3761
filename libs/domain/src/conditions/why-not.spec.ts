import { whyNot } from './why-not.js';
import type { ConditionFacts } from './condition-facts.js';
import { explainCondition } from './condition.js';
import { type Condition } from './condition-schema.js';

const facts: ConditionFacts = {
  alert: {
    title: 'High CPU',
    description: null,
    severity: 'low',
    status: 'firing',
    source: 'probe',
    fingerprint: 'f',
    labels: { region: 'eu' },
    annotations: {},
    clientId: null,
    integrationId: 'int_1',
    incidentId: null,
    assigneeId: null,
    occurrenceCount: 1,
  },
  client: null,
  integration: null,
  incident: null,
  now: '2026-11-20T14:00:00.000Z',
};
const reason = (condition: Condition): string => whyNot(explainCondition(condition, facts).trace);

test.each<[Condition, string]>([
  [{ field: 'severity', op: 'gte', value: 'high' }, 'severity is "low", but must be at least "high"'],
  [{ field: 'labels.team', op: 'eq', value: 'sre' }, 'labels.team is missing, but must be "sre"'],
  [{ field: 'labels.region', op: 'neq', value: 'eu' }, 'labels.region is "eu", but must be other than "eu"'],
  [{ field: 'labels.region', op: 'in', value: ['us', 'ap'] }, 'labels.region is "eu", but must be one of "us", "ap"'],
  [{ field: 'labels.region', op: 'exists', value: false }, 'labels.region is "eu", but must be missing'],
  [{ field: 'labels.team', op: 'exists', value: true }, 'labels.team is missing, but must be present'],
  [{ field: 'title', op: 'matches', value: '^Disk' }, 'title is "High CPU", but must match "^Disk"'],
  [
    {
      all: [
        { field: 'source', op: 'eq', value: 'probe' },
        { field: 'title', op: 'contains', value: 'disk' },
      ],
    },
    'title is "High CPU", but must contain "disk"',
  ],
  [
    {
      any: [
        { field: 'severity', op: 'eq', value: 'high' },
        { field: 'source', op: 'eq', value: 'x' },
      ],
    },
    'none of 2 alternatives is true. The first one: severity is "low", but must be "high"',
  ],
  [{ not: { field: 'source', op: 'eq', value: 'probe' } }, 'source is "probe", but must not be "probe"'],
  [
    { not: { all: [{ field: 'source', op: 'eq', value: 'probe' }] } },
    'the condition at conditions is true, but must be false',
  ],
])('%j', (condition, expected) => expect(reason(condition)).toBe(expected));

test('a condition that holds has no reason', () => {
  expect(reason({ field: 'source', op: 'eq', value: 'probe' })).toBe('');
  expect(whyNot(explainCondition(null, facts).trace)).toBe('');
});

test('a long value is shortened', () => {
  expect(reason({ field: 'title', op: 'eq', value: 'x'.repeat(1000) }).length).toBeLessThan(150);
});
