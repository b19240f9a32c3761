import { alertStory, toneOf, type AlertEntry } from './alert-story.js';

type Entry = Pick<AlertEntry, 'type' | 'actor' | 'changes'>;
const mira: Entry['actor'] = { type: 'user', id: 'usr_1', name: 'Mira' };
const grafana: Entry['actor'] = { type: 'integration', id: 'int_1', name: 'Grafana' };
const change = (field: string, before: unknown, after: unknown) => ({ field, before, after });
const nameOf = (id: string) => (id === 'usr_2' ? 'Jonas' : 'You');

it.each<[Entry, string]>([
  [
    { type: 'alert.created', actor: grafana, changes: [change('severity', null, 'critical')] },
    'Opened as critical by Integration Grafana',
  ],
  [{ type: 'alert.occurred', actor: grafana, changes: [] }, 'It occurred again'],
  [{ type: 'alert.acknowledged', actor: mira, changes: [] }, 'Mira acknowledged it'],
  [
    { type: 'alert.resolved', actor: grafana, changes: [change('resolveReason', null, 'ingest')] },
    'Integration Grafana resolved it (the sender resolved it)',
  ],
  [{ type: 'alert.resolved', actor: mira, changes: [change('resolveReason', null, 'api')] }, 'Mira resolved it'],
  [{ type: 'alert.resumed', actor: mira, changes: [] }, 'Mira let it fire again'],
  [
    { type: 'alert.severityChanged', actor: mira, changes: [change('severity', 'low', 'high')] },
    'The severity changed from low to high',
  ],
  [
    { type: 'alert.assigned', actor: mira, changes: [change('assigneeId', null, 'usr_2')] },
    'Mira assigned it to Jonas',
  ],
  [
    { type: 'alert.assigned', actor: mira, changes: [change('assigneeId', 'usr_2', null)] },
    'Mira took the assignment away',
  ],
  [
    {
      type: 'alert.labelsChanged',
      actor: mira,
      changes: [change('labels', { a: '1', b: '2', c: '3' }, { a: '1', b: '4', d: '5' })],
    },
    'Mira changed labels: b: 2 → 4, −c, d: 5',
  ],
])('%j', (entry, text) => expect(alertStory(entry, nameOf)).toBe(text));

it('people have a tone of their own', () => {
  expect(toneOf({ type: 'alert.acknowledged', actor: mira })).toBe('person');
  expect(toneOf({ type: 'alert.occurred', actor: grafana })).toBe('quiet');
  expect(toneOf({ type: 'alert.resolved', actor: mira })).toBe('done');
});
