import fc from 'fast-check';
import { alertStatuses, type AlertStatus } from './alert-status.js';
import { alertTransitions, decideCommand, decideEvent, type ActorRef, type AlertEventInput, type AlertState } from './alert-state.js';
import { severities } from './severity.js';

const sender: ActorRef = { type: 'integration', id: 'int_1', name: 'sender' };
const person: ActorRef = { type: 'user', id: 'usr_1', name: 'Kim' };
const t = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

const event = (values: Partial<AlertEventInput> = {}): AlertEventInput => ({
  title: 'High CPU', severity: 'high', status: 'firing', source: null, description: null, fingerprint: 'f', fingerprintSource: 'explicit',
  labels: {}, annotations: {}, receivedAt: t(0), autoResolveAfterSeconds: null, ...values,
});

/** An alert in a state, reached by way of the machine itself. */
function alertIn(status: AlertStatus): AlertState {
  const opened = decideEvent(null, event(), sender);
  if (opened.kind !== 'opened') throw new Error('not opened');
  if (status === 'firing') return opened.alert;
  const next = decideEvent(opened.alert, event({ status, receivedAt: t(1) }), sender);
  if (next.kind !== 'changed') throw new Error('not changed');
  return next.alert;
}

describe('events (decisions §5)', () => {
  test.each<[AlertStatus | 'none', AlertStatus, string, AlertStatus | null]>([
    ['none', 'firing', 'opened', 'firing'],
    ['none', 'acknowledged', 'opened', 'acknowledged'],
    ['none', 'suppressed', 'opened', 'suppressed'],
    ['none', 'resolved', 'noMatch', null],
    ['firing', 'firing', 'alert.occurred', 'firing'],
    ['firing', 'acknowledged', 'alert.acknowledged', 'acknowledged'],
    ['firing', 'resolved', 'alert.resolved', 'resolved'],
    ['firing', 'suppressed', 'alert.suppressed', 'suppressed'],
    ['acknowledged', 'firing', 'alert.occurred', 'acknowledged'],
    ['acknowledged', 'acknowledged', 'unchanged', 'acknowledged'],
    ['acknowledged', 'resolved', 'alert.resolved', 'resolved'],
    ['acknowledged', 'suppressed', 'unchanged', 'acknowledged'],
    ['suppressed', 'firing', 'alert.occurred', 'suppressed'],
    ['suppressed', 'acknowledged', 'alert.acknowledged', 'acknowledged'],
    ['suppressed', 'resolved', 'alert.resolved', 'resolved'],
    ['suppressed', 'suppressed', 'unchanged', 'suppressed'],
  ])('%s alert, %s event: %s', (from, incoming, expected, to) => {
    const open = from === 'none' ? null : alertIn(from);
    const decision = decideEvent(open, event({ status: incoming, receivedAt: t(5) }), sender);
    expect(decision.kind === 'changed' ? decision.type : decision.kind).toBe(expected);
    if ('alert' in decision) expect(decision.alert.status).toBe(to);
    if (decision.kind === 'changed') expect(decision.alert.version).toBe((open?.version ?? 0) + 1);
  });

  test('a further firing takes the newest words, and a time that is earlier does not move it back', () => {
    const decision = decideEvent(alertIn('firing'), event({ title: 'CPU is on fire', severity: 'critical', labels: { host: 'b' }, receivedAt: '2025-01-01T00:00:00.000Z' }), sender);
    expect(decision).toMatchObject({ kind: 'changed', type: 'alert.severityChanged', alert: { title: 'CPU is on fire', severity: 'critical', labels: { host: 'b' }, occurrenceCount: 2, lastOccurredAt: t(0) } });
    expect(decision.kind === 'changed' && decision.changes.map(({ field }) => field)).toEqual(['severity', 'title', 'labels', 'occurrenceCount']);
  });

  test('an acknowledgement keeps its actor and time through further firings', () => {
    const acknowledged = alertIn('acknowledged');
    const decision = decideEvent(acknowledged, event({ receivedAt: t(9) }), sender);
    expect(decision).toMatchObject({ alert: { acknowledgedAt: acknowledged.acknowledgedAt, acknowledgedBy: sender, occurrenceCount: 2 } });
  });

  test('each occurrence moves the time at which the alert resolves by itself', () => {
    const opened = decideEvent(null, event({ autoResolveAfterSeconds: 60 }), sender);
    if (opened.kind !== 'opened') throw new Error('not opened');
    expect(opened.alert.autoResolveAt).toBe(t(1));
    expect(decideEvent(opened.alert, event({ autoResolveAfterSeconds: 60, receivedAt: t(3) }), sender)).toMatchObject({ alert: { autoResolveAt: t(4) } });
    expect(decideEvent(opened.alert, event({ status: 'resolved', receivedAt: t(3) }), sender)).toMatchObject({ alert: { autoResolveAt: null } });
  });
});

describe('commands', () => {
  test.each<[AlertStatus, 'acknowledge' | 'resolve', string]>([
    ['firing', 'acknowledge', 'changed'],
    ['firing', 'resolve', 'changed'],
    ['acknowledged', 'acknowledge', 'unchanged'],
    ['acknowledged', 'resolve', 'changed'],
    ['suppressed', 'acknowledge', 'changed'],
    ['suppressed', 'resolve', 'changed'],
    ['resolved', 'acknowledge', 'refused'],
    ['resolved', 'resolve', 'unchanged'],
  ])('%s, %s: %s', (from, action, kind) => {
    const decision = decideCommand(alertIn(from), action === 'resolve' ? { action, reason: 'api' } : { action }, t(9), person);
    expect(decision.kind).toBe(kind);
    if (decision.kind === 'refused') expect(decision).toEqual({ kind: 'refused', from: 'resolved', to: 'acknowledged', allowed: [] });
    if (decision.kind === 'changed' && action === 'resolve') expect(decision.alert).toMatchObject({ resolvedAt: t(9), resolvedBy: person, resolveReason: 'api', suppression: null });
  });
});

describe('any history', () => {
  const step = fc.oneof(
    fc.record({ status: fc.constantFrom(...alertStatuses), severity: fc.constantFrom(...severities), minute: fc.integer({ min: 0, max: 1000 }) }),
    fc.constantFrom('acknowledge' as const, 'resolve' as const),
  );

  test('versions count without a hole, states follow the table, and the record never contradicts itself', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let open: AlertState | null = null;
        let firings = 0;
        for (const next of steps) {
          const before: AlertState | null = open;
          if (typeof next === 'string') {
            if (!open) continue;
            const decision = decideCommand(open, next === 'resolve' ? { action: next, reason: 'api' } : { action: next }, t(1), person);
            if (decision.kind === 'changed') open = decision.alert;
          } else {
            const { minute, ...values } = next;
            const decision = decideEvent(open, event({ ...values, receivedAt: t(minute) }), sender);
            if (decision.kind === 'opened') firings = 0;
            if (decision.kind === 'opened' || (decision.kind === 'changed' && next.status === 'firing')) firings++;
            if ('alert' in decision) open = decision.alert;
          }
          if (!open || open === before) continue;
          if (before) {
            expect(open.version).toBe(before.version + 1);
            expect(open.status === before.status || alertTransitions[before.status].includes(open.status)).toBe(true);
            expect(open.lastOccurredAt >= before.lastOccurredAt).toBe(true);
          } else expect(open.version).toBe(1);
          expect(open.occurrenceCount).toBe(firings);
          expect(open.status === 'resolved').toBe(open.resolvedAt !== null && open.resolvedBy !== null && open.resolveReason !== null);
          expect(open.status === 'suppressed').toBe(open.suppression !== null);
          if (open.status === 'acknowledged') expect(open.acknowledgedBy).not.toBeNull();
          if (open.status === 'resolved') open = null;
        }
      }),
    );
  });
});
