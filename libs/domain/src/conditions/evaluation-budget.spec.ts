import type { SuppressionWindow } from '../suppression/suppression.js';
import { considerWindows, suppressingAmong } from '../suppression/suppression.js';
import { considerWorkflow } from '../workflows/workflow-run.js';
import type { WorkflowStep } from '../workflows/workflow-schema.js';
import { conditionHolds, explainCondition } from './condition.js';
import { validatePredicate } from './condition-check.js';
import type { ConditionFacts } from './condition-facts.js';
import type { Condition, Predicate } from './condition-schema.js';
import { evaluationLimits, SharedBudgets } from './evaluation-budget.js';
import { missDistance } from './miss-distance.js';
import { whyNot } from './why-not.js';

/** A text without order: almost every position of it needs a new state of the automaton. */
const bits = Array.from({ length: 1_000 }, (_, i) => ((i * 2_654_435_761) >>> 0).toString(2).padStart(32, '0')).join(
  '',
);
const tooMuch: Predicate = { field: 'description', op: 'matches', value: '1[01]{400}2' };
const yes: Predicate = { field: 'title', op: 'eq', value: 'Disk full' };
const no: Predicate = { field: 'title', op: 'eq', value: 'Disk empty' };

const facts: ConditionFacts = {
  alert: {
    title: 'Disk full',
    description: bits,
    severity: 'high',
    status: 'firing',
    source: null,
    fingerprint: 'f',
    labels: {},
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

describe('a condition whose evaluation takes too much work', () => {
  it.each<[string, Condition, boolean | null]>([
    ['has no result', tooMuch, null],
    ['nor has its opposite', { not: tooMuch }, null],
    ['is true beside another that is enough', { any: [tooMuch, yes] }, true],
    ['has no result beside another that is not enough', { any: [tooMuch, no] }, null],
    ['is false beside another that is needed', { all: [tooMuch, no] }, false],
    ['has no result when all are needed', { all: [yes, tooMuch] }, null],
  ])('%s', (_what, condition, result) => {
    expect(conditionHolds(condition, facts)).toBe(result);
    expect(explainCondition(condition, facts).holds).toBe(result);
  });

  it('says so in its trace', () => {
    const { trace } = explainCondition({ not: tooMuch }, facts);
    expect(trace).toMatchObject({ holds: false, undecided: true, children: [{ holds: false, undecided: true }] });
    expect(whyNot(trace)).toBe('description could not be compared: its value or the condition is too large');
    expect(missDistance(trace)).toBe(1);
  });

  it.each<[string, Predicate]>([
    ['a text in a text', { field: 'description', op: 'contains', value: '1'.repeat(1_000) }],
    ['a pattern in a text', tooMuch],
  ])('is limited for %s', (_what, predicate) => {
    const budget = { left: evaluationLimits.alone };
    conditionHolds({ any: Array.from({ length: 200 }, () => predicate) }, facts, budget);
    expect(budget.left).toBeGreaterThan(-2_100_000); // the last one that began
    expect(conditionHolds(yes, facts, budget)).toBeNull();
  });
});

describe('in doubt', () => {
  const window = (matchers: Predicate[]): SuppressionWindow => ({
    id: 'sup_1',
    enabled: true,
    matchers,
    clientIds: [],
    integrationIds: [],
    exceptSeverities: [],
    matchAll: false,
    startsAt: '2026-11-20T00:00:00.000Z',
    endsAt: '2026-11-21T00:00:00.000Z',
    timezone: 'UTC',
    rrule: null,
    durationSeconds: null,
    onEnd: 'resume',
  });

  it('a window hides nothing, and is shown as undecided', () => {
    const considered = considerWindows([window([tooMuch, yes])], facts, facts.now);
    expect(considered).toMatchObject([{ matches: false, undecided: true }]);
    expect(suppressingAmong(considered)).toBeNull();
    expect(considerWindows([window([tooMuch, no])], facts, facts.now)[0]).not.toHaveProperty('undecided');
  });

  it.each<[WorkflowStep['type'][], 'run' | 'conditions']>([
    [['page'], 'run'],
    [['notify', 'setSeverity'], 'run'],
    [['openIncident'], 'run'],
    [['webhook'], 'run'],
    [['setSeverity', 'addLabels'], 'conditions'],
    [['resolve'], 'conditions'],
    [['notify', 'acknowledge'], 'conditions'],
  ])('a workflow with the steps %j: %s', (types, outcome) => {
    const steps = types.map((type) => ({ type })) as WorkflowStep[];
    const event = { type: 'alert.created', alertStatus: 'firing' as const, depth: 0, causedRunsLeft: 1 };
    const workflow = { events: ['alert.created' as const], conditions: tooMuch, steps };
    expect(considerWorkflow(workflow, event, facts, 'never')).toMatchObject({ outcome, trace: { undecided: true } });
  });
});

test('the windows of many alerts of one tenant have a limit together, which is not the limit of another tenant', () => {
  const budgets = new SharedBudgets(300_000);
  for (let i = 0; i < 10; i++) {
    const condition: Condition = { any: [{ ...tooMuch, value: `1[01]{${400 + i}}2` }, no] };
    expect(budgets.evaluate('a', (budget) => conditionHolds(condition, facts, budget))).toBeNull();
  }
  const long: Predicate = { field: 'description', op: 'contains', value: '222222222' };
  expect(budgets.evaluate('a', (budget) => conditionHolds(long, facts, budget))).toBeNull();
  expect(budgets.evaluate('b', (budget) => conditionHolds(long, facts, budget))).toBe(false);
  // Common conditions are evaluated in any case.
  expect(budgets.evaluate('a', (budget) => conditionHolds(yes, facts, budget))).toBe(true);
});

test('what many evaluations need alike is taken once', () => {
  const budgets = new SharedBudgets(20_000);
  const condition: Condition = { any: Array.from({ length: 20 }, () => ({ ...no, op: 'matches', value: 'Disk e' })) };
  const results = Array.from({ length: 500 }, () =>
    budgets.evaluate('a', (budget) => conditionHolds(condition, facts, budget)),
  );
  expect(new Set(results)).toEqual(new Set([false]));
});

it.each([
  ['(?i)(?:a?){990}z', true],
  ['(?:[01]{20}){49}[ab]{200}', true],
  ['(?i)disk (?:full|failing) on [\\w.-]{1,64}$', false],
])('saving the pattern %s is refused: %s', (value, refused) => {
  const faults = validatePredicate({ field: 'title', op: 'matches', value }, 'matchers[0]');
  expect(faults.map(({ rule, message }) => `${rule}: ${message}`)).toEqual(
    refused ? [expect.stringMatching(/^complexity: has \d+ instructions, at most 1100 are allowed/)] : [],
  );
});
