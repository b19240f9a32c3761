import {
  acknowledgedIncident,
  incidentWith,
  kim,
  minutes,
  paging,
  pagingIncident,
  resolvedIncident,
} from '../../testing/incidents.js';
import { decideEscalate } from './incident-escalate.js';

const at = minutes(5);

test('the next level is due at once, in the same episode', () => {
  expect(decideEscalate(pagingIncident(), at, kim)).toMatchObject({
    type: 'incident.escalated',
    incident: { status: 'triggered', dueAt: at, escalation: { state: 'escalating', episode: 1, level: 2, nextAt: at } },
    changes: [{ field: 'escalation' }],
  });
});

test('an acknowledged incident is triggered, and goes on after the level that was told last', () => {
  const snoozed = acknowledgedIncident({ snoozedUntil: minutes(60) });
  expect(decideEscalate(snoozed, at, kim)).toMatchObject({
    type: 'incident.reopened',
    incident: {
      status: 'triggered',
      acknowledgedBy: null,
      snoozedUntil: null,
      dueAt: at,
      escalation: { state: 'escalating', episode: 1, level: 2, nextAt: at },
      paging: { joined: null },
    },
  });
});

test('two people at the same moment ask for one level, and later for the next one', () => {
  const told = pagingIncident(paging({ level: 3 }, { toldAt: minutes(4.9) }));
  expect(decideEscalate(told, at, kim).kind).toBe('unchanged');
  expect(decideEscalate(told, minutes(5.1), kim).kind).toBe('changed');
  // Whoever hands it back a moment after the page asks for the next one.
  const handed = acknowledgedIncident(paging({ state: 'waiting', nextAt: null }, { toldAt: minutes(4.9) }));
  expect(decideEscalate(handed, at, kim).kind).toBe('changed');
});

test.each([
  ['resolved', resolvedIncident()],
  ['pagesNobody', incidentWith()],
  ['paused', pagingIncident(paging({ state: 'paused', nextAt: null }))],
  ['exhausted', pagingIncident(paging({ state: 'exhausted', nextAt: null }, { stage: 'owners' }))],
  ['exhausted', acknowledgedIncident(paging({ state: 'waiting', nextAt: null }, { stage: 'owners' }))],
])('it is refused: %s', (reason, incident) =>
  expect(decideEscalate(incident, at, kim)).toEqual({ kind: 'refused', reason }),
);
