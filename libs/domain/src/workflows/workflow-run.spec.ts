import fc from 'fast-check';
import type { ConditionFacts } from '../conditions/condition-facts.js';
import {
  considerWorkflow,
  decideStep,
  decideTrigger,
  maxCausedRuns,
  maxWorkflowDepth,
  notificationAttempts,
  retryDelay,
  triggeredBy,
  type StepSituation,
  type Trigger,
} from './workflow-run.js';

describe('what starts a run', () => {
  test.each<[string, string[], string, 'never' | 'done' | 'waiting', string | null]>([
    ['an event it names', ['alert.created'], 'alert.created', 'never', 'alert.created'],
    ['an event it does not name', ['alert.created'], 'alert.resolved', 'never', null],
    [
      'an alert that resumes, to a workflow that passed its creation over',
      ['alert.created'],
      'alert.resumed',
      'never',
      'alert.created',
    ],
    ['an alert that resumes, to a workflow that has run for it', ['alert.created'], 'alert.resumed', 'done', null],
    [
      'an alert that resumes, to a workflow that names it',
      ['alert.created', 'alert.resumed'],
      'alert.resumed',
      'done',
      'alert.resumed',
    ],
    [
      'an alert that resumes, to a workflow whose run waits for that',
      ['alert.created', 'alert.resumed'],
      'alert.resumed',
      'waiting',
      null,
    ],
  ])('%s', (_name, events, type, ran, expected) => expect(triggeredBy(events as never, type, ran)).toBe(expected));

  test.each<[string, Omit<Trigger, 'causedRunsLeft'> & { left?: number }, boolean, ReturnType<typeof decideTrigger>]>([
    ['a firing alert', { type: 'alert.created', alertStatus: 'firing', depth: 0 }, true, { kind: 'run' }],
    [
      'conditions that do not hold',
      { type: 'alert.created', alertStatus: 'firing', depth: 0 },
      false,
      { kind: 'passedOver', why: 'conditions' },
    ],
    [
      'an alert that was suppressed from the beginning',
      { type: 'alert.created', alertStatus: 'suppressed', depth: 0 },
      true,
      { kind: 'passedOver', why: 'quiet' },
    ],
    [
      'an acknowledged alert that gets worse',
      { type: 'alert.severityChanged', alertStatus: 'acknowledged', depth: 0 },
      true,
      { kind: 'passedOver', why: 'quiet' },
    ],
    [
      'an acknowledgement',
      { type: 'alert.acknowledged', alertStatus: 'acknowledged', depth: 4 },
      true,
      { kind: 'run' },
    ],
    ['an incident', { type: 'incident.created', alertStatus: null, depth: 1 }, true, { kind: 'run' }],
    [
      'the fifth workflow in a chain',
      { type: 'incident.created', alertStatus: null, depth: maxWorkflowDepth },
      true,
      { kind: 'passedOver', why: 'loop' },
    ],
    [
      'an event whose chain of workflows has caused all runs that it may',
      { type: 'incident.created', alertStatus: null, depth: 1, left: 0 },
      true,
      { kind: 'passedOver', why: 'budget' },
    ],
    [
      'the same event with conditions that do not hold',
      { type: 'incident.created', alertStatus: null, depth: 1, left: 0 },
      false,
      { kind: 'passedOver', why: 'conditions' },
    ],
    [
      'an event that no workflow caused, whatever its chain has caused',
      { type: 'incident.created', alertStatus: null, depth: 0, left: 0 },
      true,
      { kind: 'run' },
    ],
  ])('%s', (_name, { left = maxCausedRuns, ...event }, holds, expected) =>
    expect(decideTrigger({ ...event, causedRunsLeft: left }, holds)).toEqual(expected),
  );
});

describe('a due step', () => {
  const now = 1_000_000;
  const situation: StepSituation = {
    now,
    previousDoneAt: now,
    alertStatus: 'firing',
    incidentStatus: null,
    joined: false,
    event: 'alert.created',
    workflow: 'enabled',
  };
  const page = { type: 'notify' as const, delaySeconds: 0, unless: [] };
  const escalation = {
    type: 'notify' as const,
    delaySeconds: 600,
    unless: ['acknowledged' as const, 'resolved' as const],
  };
  test.each<[string, Parameters<typeof decideStep>[0], Partial<StepSituation>, ReturnType<typeof decideStep>]>([
    ['runs', page, {}, { kind: 'do' }],
    ['waits for its delay', escalation, {}, { kind: 'wait', until: now + 600_000 }],
    ['runs when it is over', escalation, { previousDoneAt: now - 600_000 }, { kind: 'do' }],
    [
      'is skipped at once when somebody acknowledged the alert',
      escalation,
      { alertStatus: 'acknowledged' },
      { kind: 'skip', why: 'acknowledged' },
    ],
    [
      'is skipped when somebody acknowledged the incident',
      escalation,
      { incidentStatus: 'acknowledged' },
      { kind: 'skip', why: 'acknowledged' },
    ],
    ['is skipped when it is over', escalation, { alertStatus: 'resolved' }, { kind: 'skip', why: 'resolved' }],
    ['runs whatever the state, when it does not ask', page, { alertStatus: 'resolved' }, { kind: 'do' }],
    ['holds back a page for a suppressed alert', page, { alertStatus: 'suppressed' }, { kind: 'hold' }],
    [
      'tells those who want to hear of the suppression',
      page,
      { alertStatus: 'suppressed', event: 'alert.suppressed' },
      { kind: 'do' },
    ],
    [
      'waits out its delay first, whatever is suppressed meanwhile',
      escalation,
      { alertStatus: 'suppressed' },
      { kind: 'wait', until: now + 600_000 },
    ],
    ['ends the run of a workflow that was deleted', page, { workflow: 'deleted' }, { kind: 'end', why: 'deleted' }],
    [
      'ends the run of a workflow that was disabled, also when the step is not due',
      escalation,
      { workflow: 'disabled' },
      { kind: 'end', why: 'disabled' },
    ],
    ['pages nobody again for an incident that is known', page, { joined: true }, { kind: 'skip', why: 'joined' }],
    ['pages for what fires again after a silence', page, { joined: true, event: 'alert.resumed' }, { kind: 'do' }],
    [
      'does what is no page in an incident that is known',
      { ...page, type: 'setSeverity' },
      { joined: true, alertStatus: 'suppressed' },
      { kind: 'do' },
    ],
  ])('%s', (_name, step, values, expected) => expect(decideStep(step, { ...situation, ...values })).toEqual(expected));
});

test('retries of a notification have growing delays, respect the requested delay, and end', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 30 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.option(fc.integer({ min: 0, max: 3600 })),
      (attempts, random, asked) => {
        const delay = retryDelay(attempts, random, asked);
        if (attempts >= notificationAttempts) return expect(delay).toBeNull();
        expect(delay).toBeGreaterThanOrEqual(Math.max(1.5, asked ?? 0));
        expect(delay).toBeLessThanOrEqual(Math.max(900 * 1.25, asked ?? 0));
      },
    ),
  );
});

describe('the meaning of an event for a workflow', () => {
  const facts: ConditionFacts = {
    alert: null,
    client: null,
    integration: null,
    incident: null,
    now: '2026-11-20T14:00:00.000Z',
  };
  const holds = null;
  const fails = { field: 'title', op: 'eq' as const, value: 'x' };
  const workflow = (conditions: typeof fails | null) => ({ events: ['alert.created' as const], conditions, steps: [] });
  const created = { type: 'alert.created', alertStatus: 'firing' as const, depth: 0, causedRunsLeft: maxCausedRuns };

  test.each([
    ['it runs', workflow(holds), created, 'run'],
    ['its conditions do not hold', workflow(fails), created, 'conditions'],
    ['the alert is quiet', workflow(holds), { ...created, alertStatus: 'suppressed' as const }, 'quiet'],
    ['the chain is too long', workflow(holds), { ...created, depth: maxWorkflowDepth }, 'loop'],
  ])('%s', (_, given, event, outcome) => {
    const considered = considerWorkflow(given, event, facts, 'never');
    expect(considered).toMatchObject({ outcome, trace: { holds: given.conditions === null } });
  });

  test('nothing for an event that the workflow does not have', () => {
    expect(considerWorkflow(workflow(holds), { ...created, type: 'alert.resolved' }, facts, 'never')).toBeNull();
  });
});
