/** The fields of conditions that the events of workflows have. */
import { fieldsNamedIn } from '../conditions/condition-check.js';
import { fieldOf, type FieldGroup } from '../conditions/condition-fields.js';
import type { Condition } from '../conditions/condition-schema.js';
import { fieldPath, type Check } from '../validation/check.js';
import type { WorkflowEvent } from './workflow-schema.js';

type EventNoun = WorkflowEvent extends `${infer Noun}.${string}` ? Noun : never;

const groupsOf: Readonly<Record<EventNoun, readonly FieldGroup[]>> = {
  alert: ['alert', 'client', 'integration', 'incident', 'now'],
  incident: ['incident', 'client', 'alerts.any', 'now'],
  schedule: ['schedule', 'now'],
  suppression: ['suppression', 'now'],
};

const groupNames: Readonly<Record<FieldGroup, string>> = {
  alert: 'the fields of the alert with labels.* and annotations.*',
  client: 'client.*',
  integration: 'integration.*',
  incident: 'incident.*',
  'alerts.any': 'alerts.any.* (what one of the alerts has)',
  schedule: 'schedule.*',
  suppression: 'suppression.*',
  now: 'now.*',
};

const plurals: Readonly<Record<EventNoun, string>> = {
  alert: 'alerts',
  incident: 'incidents',
  schedule: 'schedules',
  suppression: 'suppression windows',
};

const nounOf = (event: WorkflowEvent): EventNoun => event.slice(0, event.indexOf('.')) as EventNoun;

/** The events that do not have the field. None for a field that does not exist. */
export function eventsWithout(field: string, events: readonly WorkflowEvent[]): WorkflowEvent[] {
  const group = fieldOf(field)?.group;
  return group === undefined ? [] : events.filter((event) => !groupsOf[nounOf(event)].includes(group));
}

/** Whether the condition compares the alerts of an incident, which have to be read for it. */
export const namesAlertsOfIncident = (condition: Condition | null): boolean =>
  condition !== null && fieldsNamedIn(condition, '').some(({ field }) => fieldOf(field)?.group === 'alerts.any');

/** `Events of alerts have client.*, …; events of incidents have …` */
const allGroups = Object.entries(groupsOf)
  .map(
    ([noun, groups]) =>
      `events of ${plurals[noun as EventNoun]} have ${groups.map((group) => groupNames[group]).join(', ')}`,
  )
  .join('; ');

/** Reports each predicate on a field that an event of the trigger does not have: it could never hold, or always. */
export function checkFieldsOfEvents(
  conditions: unknown,
  events: readonly WorkflowEvent[],
  path: string,
  report: Parameters<Check>[2],
): void {
  for (const { field, path: at } of fieldsNamedIn(conditions, path)) {
    const without = eventsWithout(field, events);
    if (without.length > 0)
      report(fieldPath(at, 'field'), 'trigger', `is not a field of ${without.join(', ')}: ${allGroups}`);
  }
}
