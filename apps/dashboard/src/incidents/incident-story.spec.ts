import { incidentStory, type IncidentEntry } from './incident-story.js';

type Entry = Pick<IncidentEntry, 'type' | 'actor' | 'changes'>;
const mira: Entry['actor'] = { type: 'user', id: 'usr_1', name: 'Mira' };
const service: Entry['actor'] = { type: 'service', id: null, name: 'escalation' };
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });
const words = {
  memberOf: (id: string) => ({ usr_1: 'You', usr_2: 'Jonas' })[id] ?? 'A member',
  timeOf: (at: string) => at.slice(11, 16),
};

it.each<[Entry, string]>([
  [
    { type: 'incident.created', actor: mira, changes: [change('severity', null, 'critical')] },
    'Mira opened the incident as critical',
  ],
  [{ type: 'incident.acknowledged', actor: mira, changes: [] }, 'Mira acknowledged it'],
  [
    { type: 'incident.acknowledged', actor: mira, changes: [change('snoozedUntil', null, '2026-11-22T20:15:00.000Z')] },
    'Mira snoozed it until 20:15',
  ],
  [{ type: 'incident.resolved', actor: mira, changes: [] }, 'Mira resolved it'],
  [{ type: 'incident.resolved', actor: service, changes: [] }, 'It was resolved with its last open alert'],
  [
    { type: 'incident.resolved', actor: mira, changes: [change('mergedInto', null, 'inc_1')] },
    'Mira merged it into another incident',
  ],
  [
    { type: 'incident.merged', actor: mira, changes: [change('mergedIncidentIds', null, ['inc_2', 'inc_3'])] },
    'Mira merged 2 incidents into it',
  ],
  [{ type: 'incident.escalated', actor: mira, changes: [] }, 'Mira asked for the next level'],
  [
    {
      type: 'incident.reopened',
      actor: mira,
      changes: [change('escalation', { state: 'waiting', episode: 1 }, { state: 'escalating', episode: 1 })],
    },
    'Mira asked for the next level',
  ],
  [
    {
      type: 'incident.reopened',
      actor: mira,
      changes: [change('escalation', { state: 'waiting', episode: 1 }, { state: 'escalating', episode: 2 })],
    },
    'Mira opened it again',
  ],
  [{ type: 'incident.reopened', actor: service, changes: [] }, 'The acknowledgement has ended: it pages again'],
  [
    {
      type: 'incident.paged',
      actor: service,
      changes: [change('escalation', { level: 0, state: 'escalating' }, { level: 1, state: 'escalating' })],
    },
    'Level 1 was paged',
  ],
  [
    {
      type: 'incident.paged',
      actor: service,
      changes: [change('escalation', { level: 2, state: 'escalating' }, { level: 2, state: 'exhausted' })],
    },
    'Everybody was paged; nobody has answered',
  ],
  [{ type: 'incident.paged', actor: service, changes: [] }, 'Somebody was told'],
  [{ type: 'incident.alertAdded', actor: service, changes: [change('alertCount', 1, 4)] }, '3 alerts joined'],
  [
    { type: 'incident.updated', actor: mira, changes: [change('assigneeIds', [], ['usr_2', 'usr_1'])] },
    'Mira handed it to Jonas, You',
  ],
  [
    { type: 'incident.updated', actor: mira, changes: [change('assigneeIds', ['usr_2'], [])] },
    'Mira took the assignment away',
  ],
  [
    {
      type: 'incident.updated',
      actor: mira,
      changes: [change('severity', 'low', 'high'), change('urgency', 'low', 'high')],
    },
    'Mira changed the severity from low to high',
  ],
  [{ type: 'incident.updated', actor: mira, changes: [change('title', 'a', 'b')] }, 'Mira named it “b”'],
  [{ type: 'incident.updated', actor: service, changes: [change('escalation', {}, {})] }, 'The escalation changed'],
  [
    { type: 'incident.updated', actor: mira, changes: [change('openAlertCount', 1, 0)] },
    'None of its alerts is open any more',
  ],
  [{ type: 'incident.updated', actor: service, changes: [change('openAlertCount', 0, 1)] }, '1 of its alerts is open'],
  [{ type: 'incident.noted', actor: mira, changes: [] }, 'Mira wrote'],
])('%j', (entry, text) => expect(incidentStory(entry, words)).toBe(text));
