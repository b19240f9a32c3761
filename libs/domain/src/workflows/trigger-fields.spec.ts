import { validateWorkflow } from './workflow-check.js';
import { eventsWithout } from './trigger-fields.js';
import { workflowEvents, type WorkflowEvent } from './workflow-schema.js';

const ofAlerts = workflowEvents.filter((event) => event.startsWith('alert.'));
const ofIncidents = workflowEvents.filter((event) => event.startsWith('incident.'));
const ofRecords: WorkflowEvent[] = ['schedule.handoff', 'suppression.expiring'];

test.each<[string, WorkflowEvent[]]>([
  ['severity', ofIncidents],
  ['title', ofIncidents],
  ['clientId', ofIncidents],
  ['incidentId', ofIncidents],
  ['labels.team', ofIncidents],
  ['annotations.runbook', ofIncidents],
  ['integration.name', ofIncidents],
  ['client.slug', []],
  ['incident.severity', []],
  ['incident.number', []],
  ['now.time', []],
  ['alerts.any.labels.team', ofAlerts],
  ['alerts.any.severity', ofAlerts],
  ['no.field', []],
])('of the events of workflows, %s is missing in %j', (field, expected) =>
  expect(eventsWithout(field, [...ofAlerts, ...ofIncidents])).toEqual(expected),
);

test.each<[string, WorkflowEvent[]]>([
  ['schedule.to.id', ['suppression.expiring']],
  ['schedule.layer', ['suppression.expiring']],
  ['suppression.name', ['schedule.handoff']],
  ['severity', ofRecords],
  ['incident.severity', ofRecords],
  ['client.slug', ofRecords],
  ['now.weekday', []],
])('of the events of schedules and suppression windows, %s is missing in %j', (field, expected) =>
  expect(eventsWithout(field, ofRecords)).toEqual(expected),
);

describe('a step is refused when the workflow is saved', () => {
  const faultsOf = (events: string[], step: object) =>
    validateWorkflow({ trigger: { events }, steps: [{ id: 'a', ...step }] }).map(({ path, message }) => [
      path,
      message,
    ]);

  test.each([
    { type: 'page' },
    { type: 'openIncident' },
    { type: 'resolve' },
    { type: 'acknowledge' },
    { type: 'setSeverity', params: { severity: 'low' } },
    { type: 'addLabels', params: { labels: { a: 'b' } } },
    { type: 'assign', params: { userId: 'usr_1' } },
  ])('when it changes an alert or an incident and an event has neither: $type', (step) => {
    const message = 'needs an alert or an incident, which schedule.handoff does not have';
    expect(faultsOf(['schedule.handoff'], step)).toEqual([['steps[0].type', message]]);
    expect(faultsOf(['schedule.handoff', 'alert.created'], step)).toEqual([['steps[0].type', message]]);
    expect(faultsOf(['alert.created'], step)).toEqual([]);
  });

  test('when it takes an address from the alert of a hand-off', () => {
    const step = { type: 'notify', params: { targets: [{ type: 'email', addressFrom: 'labels.owner' }] } };
    expect(faultsOf(['suppression.expiring'], step)).toEqual([
      ['steps[0].params.targets[0].addressFrom', 'needs an alert, which suppression.expiring does not have'],
    ]);
  });

  test('but one that notifies or posts is not', () => {
    const targets = [{ type: 'schedule', id: 'sch_1' }];
    expect(faultsOf(['schedule.handoff', 'suppression.expiring'], { type: 'notify', params: { targets } })).toEqual([]);
    expect(faultsOf(['schedule.handoff'], { type: 'webhook', params: { url: 'https://example.com/hook' } })).toEqual(
      [],
    );
  });
});

const faults = (events: string[], conditions: unknown) =>
  validateWorkflow({ trigger: { events }, conditions, steps: [{ id: 'a', type: 'resolve' }] });
const leaf = (field: string, op = 'eq', value: unknown = 'a') => ({ field, op, value });

describe('a condition is refused when the workflow is saved', () => {
  test('on a label of alerts for an event of incidents, and the message says which event has which fields', () => {
    expect(faults(['incident.created'], leaf('labels.team'))).toEqual([
      {
        path: 'conditions.field',
        rule: 'trigger',
        message:
          'is not a field of incident.created: events of alerts have the fields of the alert with labels.* and ' +
          'annotations.*, client.*, integration.*, incident.*, now.*; events of incidents have incident.*, ' +
          'client.*, alerts.any.* (what one of the alerts has), now.*; events of schedules have schedule.*, now.*; ' +
          'events of suppression windows have suppression.*, now.*',
      },
    ]);
  });

  test('when one event of several lacks the field, with the names of those that lack it', () => {
    const [fault] = faults(['incident.created', 'alert.created', 'incident.resolved'], leaf('labels.team'));
    expect(fault?.message).toMatch(/^is not a field of incident.created, incident.resolved: /);
  });

  test.each<[string, unknown]>([
    ['exists: false', leaf('labels.team', 'exists', false)],
    ['neq', leaf('labels.team', 'neq')],
  ])('although it holds without a value: %s', (_name, conditions) =>
    expect(faults(['incident.created'], conditions)).toHaveLength(1),
  );

  test('at each node of a tree, all at once and beside other errors', () => {
    const conditions = {
      all: [leaf('incident.title'), { any: [leaf('labels.a'), { not: leaf('alerts.any.labels.a') }] }, leaf('titel')],
    };
    const found = (events: string[]) => faults(events, conditions).map(({ path, rule }) => `${path}: ${rule}`);
    expect(found(['incident.created'])).toEqual([
      'conditions.all[2].field: enum',
      'conditions.all[1].any[0].field: trigger',
    ]);
    expect(found(['alert.created'])).toEqual([
      'conditions.all[2].field: enum',
      'conditions.all[1].any[1].not.field: trigger',
    ]);
  });
});

test.each<[string, string[], unknown]>([
  ['the incident of an alert', ['alert.created'], leaf('incident.title')],
  ['an alert of an incident', ['incident.created', 'incident.resolved'], leaf('alerts.any.labels.team')],
  ['what both kinds of events have', ['incident.created', 'alert.created'], leaf('client.slug')],
  ['no condition', ['incident.created', 'alert.created'], null],
])('a condition is accepted on %s', (_name, events, conditions) => expect(faults(events, conditions)).toEqual([]));

test('a condition over the limits, or with unknown events, has its own errors only', () => {
  const deep = (levels: number): unknown => (levels === 0 ? leaf('labels.a') : { not: deep(levels - 1) });
  expect(faults(['incident.created'], deep(20)).map(({ rule }) => rule)).toEqual(['maxDepth']);
  expect(faults(['incident.deleted'], leaf('labels.a')).map(({ rule }) => rule)).toEqual(['enum']);
});
