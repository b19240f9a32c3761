import fc from 'fast-check';
import { alertStatuses, type AlertStatus } from './alert-status.js';
import {
  alertTransitions,
  decideCommand,
  decideEvent,
  decideUnacknowledge,
  decideWindows,
  isPublished,
  unacknowledged,
  type ActorRef,
  type AlertEventInput,
  type AlertState,
  type SuppressingWindow,
} from './alert-state.js';
import type { AlertEdit } from './alert-edit.js';
import { severities } from './severity.js';

const sender: ActorRef = { type: 'integration', id: 'int_1', name: 'sender' };
const person: ActorRef = { type: 'user', id: 'usr_1', name: 'Kim' };
/** No window suppresses the alert. */
const notHidden = (): null => null;
const t = (minute: number): string => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();

const event = (values: Partial<AlertEventInput> = {}): AlertEventInput => ({
  title: 'High CPU',
  severity: 'high',
  status: 'firing',
  source: null,
  description: null,
  fingerprint: 'f',
  fingerprintSource: 'explicit',
  labels: {},
  annotations: {},
  receivedAt: t(0),
  appliedAt: t(0),
  autoResolveAfterSeconds: null,
  ...values,
});

/** An alert in the given state, reached through the state machine. */
function alertIn(status: AlertStatus): AlertState {
  const opened = decideEvent(null, event(), sender, notHidden);
  if (opened.kind !== 'opened') throw new Error('not opened');
  if (status === 'firing') return opened.alert;
  const next = decideEvent(opened.alert, event({ status, receivedAt: t(1) }), sender, notHidden);
  if (next.kind !== 'changed') throw new Error('not changed');
  return next.alert;
}

function acknowledgedBy(by: ActorRef): AlertState {
  const decision = decideCommand(alertIn('firing'), { action: 'acknowledge' }, t(1), by);
  if (decision.kind !== 'changed') throw new Error('not changed');
  return decision.alert;
}

describe('events', () => {
  test.each<[AlertStatus | 'none', AlertStatus, string, AlertStatus | null]>([
    ['none', 'firing', 'opened', 'firing'],
    ['none', 'acknowledged', 'opened', 'acknowledged'],
    ['none', 'suppressed', 'opened', 'suppressed'],
    ['none', 'resolved', 'noMatch', null],
    ['firing', 'firing', 'alert.occurred', 'firing'],
    ['firing', 'acknowledged', 'alert.acknowledged', 'acknowledged'],
    ['firing', 'resolved', 'alert.resolved', 'resolved'],
    ['firing', 'suppressed', 'alert.suppressed', 'suppressed'],
    ['acknowledged', 'firing', 'alert.resumed', 'firing'],
    ['acknowledged', 'acknowledged', 'unchanged', 'acknowledged'],
    ['acknowledged', 'resolved', 'alert.resolved', 'resolved'],
    ['acknowledged', 'suppressed', 'unchanged', 'acknowledged'],
    ['suppressed', 'firing', 'alert.resumed', 'firing'],
    ['suppressed', 'acknowledged', 'alert.acknowledged', 'acknowledged'],
    ['suppressed', 'resolved', 'alert.resolved', 'resolved'],
    ['suppressed', 'suppressed', 'unchanged', 'suppressed'],
  ])('%s alert, %s event: %s', (from, incoming, expected, to) => {
    const open = from === 'none' ? null : alertIn(from);
    const decision = decideEvent(open, event({ status: incoming, receivedAt: t(5) }), sender, notHidden);
    expect(decision.kind === 'changed' ? decision.type : decision.kind).toBe(expected);
    if ('alert' in decision) expect(decision.alert.status).toBe(to);
    if (decision.kind === 'changed') expect(decision.alert.version).toBe((open?.version ?? 0) + 1);
  });

  test(
    'a further firing event updates the values of the alert, and an earlier time does not move lastOccurredAt ' +
      'back',
    () => {
      const decision = decideEvent(
        alertIn('firing'),
        event({
          title: 'CPU is on fire',
          severity: 'critical',
          labels: { host: 'b' },
          receivedAt: '2025-01-01T00:00:00.000Z',
        }),
        sender,
        notHidden,
      );
      expect(decision).toMatchObject({
        kind: 'changed',
        type: 'alert.severityChanged',
        alert: {
          title: 'CPU is on fire',
          severity: 'critical',
          labels: { host: 'b' },
          occurrenceCount: 2,
          lastOccurredAt: t(0),
        },
      });
      expect(decision.kind === 'changed' && decision.changes.map(({ field }) => field)).toEqual([
        'severity',
        'title',
        'labels',
        'occurrenceCount',
      ]);
    },
  );

  test('an acknowledgement by one of ours keeps its actor and time after further firing events', () => {
    const decision = decideEvent(acknowledgedBy(person), event({ receivedAt: t(9) }), sender, notHidden);
    expect(decision).toMatchObject({
      type: 'alert.occurred',
      alert: { status: 'acknowledged', acknowledgedAt: t(1), acknowledgedBy: person, occurrenceCount: 2 },
    });
  });

  test('the next firing event ends an acknowledgement or a suppression that only the sender reported', () => {
    for (const status of ['acknowledged', 'suppressed'] as const) {
      const decision = decideEvent(alertIn(status), event({ severity: 'low', receivedAt: t(9) }), sender, notHidden);
      expect(decision).toMatchObject({
        type: 'alert.resumed',
        alert: { status: 'firing', severity: 'low', acknowledgedAt: null, acknowledgedBy: null, suppression: null },
      });
    }
  });

  test('trigger, resolve, a late acknowledgement, trigger: the second outage fires in each API', () => {
    const resolved = decideEvent(alertIn('firing'), event({ status: 'resolved' }), sender, notHidden);
    expect(resolved).toMatchObject({ alert: { status: 'resolved' } });
    const late = event({ status: 'acknowledged' });
    expect(decideEvent(null, { ...late, opensNone: true }, sender, notHidden)).toEqual({ kind: 'noMatch' });
    const opened = decideEvent(null, late, sender, notHidden);
    if (opened.kind !== 'opened') throw new Error('not opened');
    expect(opened.alert.status).toBe('acknowledged');
    expect(decideEvent(opened.alert, event(), sender, notHidden)).toMatchObject({
      type: 'alert.resumed',
      alert: { status: 'firing' },
    });
  });

  test('a repeated event keeps the values that it does not have', () => {
    const first = event({
      severity: 'critical',
      description: 'all of it',
      source: 'host',
      labels: { host: 'a', region: 'eu' },
      annotations: { runbook: 'r' },
    });
    const opened = decideEvent(null, first, sender, notHidden);
    if (opened.kind !== 'opened') throw new Error('not opened');
    const repeat = event({ severity: 'medium', severityIsDefault: true, labels: { host: 'b' } });
    const decision = decideEvent(opened.alert, repeat, sender, notHidden);
    expect(decision).toMatchObject({
      type: 'alert.occurred',
      alert: {
        severity: 'critical',
        description: 'all of it',
        source: 'host',
        labels: { host: 'b', region: 'eu' },
        annotations: { runbook: 'r' },
      },
    });
    expect(decision.kind === 'changed' && decision.changes.map(({ field }) => field)).toEqual([
      'labels',
      'occurrenceCount',
    ]);
  });

  test('merged labels and annotations stay within their limits, and the newest are kept', () => {
    const entries = (name: string) => Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`${name}${i}`, 'x']));
    const opened = decideEvent(null, event({ labels: entries('old'), annotations: entries('old') }), sender, notHidden);
    if (opened.kind !== 'opened') throw new Error('not opened');
    const repeat = event({ labels: { new: 'y' }, annotations: entries('new') });
    const decision = decideEvent(opened.alert, repeat, sender, notHidden);
    if (decision.kind !== 'changed') throw new Error('not changed');
    expect(Object.keys(decision.alert.labels)).toHaveLength(64);
    expect(decision.alert.labels).toMatchObject({ new: 'y', old0: 'x' });
    expect(decision.alert.annotations).toEqual(entries('new'));
  });

  test("firstOccurredAt is the sender's own time; further events do not change it", () => {
    const opened = decideEvent(null, event({ occurredAt: t(-30) }), sender, notHidden);
    if (opened.kind !== 'opened') throw new Error('not opened');
    expect(opened.alert).toMatchObject({ firstOccurredAt: t(-30), lastOccurredAt: t(0) });
    for (const occurredAt of [t(1), t(-400 * 24 * 60), '0001-01-01T00:00:00.000Z'])
      expect(decideEvent(null, event({ occurredAt }), sender, notHidden)).toMatchObject({
        alert: { firstOccurredAt: t(0) },
      });
    expect(decideEvent(opened.alert, event({ occurredAt: t(-60) }), sender, notHidden)).toMatchObject({
      alert: { firstOccurredAt: t(-30) },
    });
  });

  test('each occurrence postpones the automatic resolve', () => {
    const opened = decideEvent(null, event({ autoResolveAfterSeconds: 60 }), sender, notHidden);
    if (opened.kind !== 'opened') throw new Error('not opened');
    expect(opened.alert.autoResolveAt).toBe(t(1));
    expect(
      decideEvent(opened.alert, event({ autoResolveAfterSeconds: 60, appliedAt: t(3) }), sender, notHidden),
    ).toMatchObject({ alert: { autoResolveAt: t(4) } });
    expect(decideEvent(opened.alert, event({ status: 'resolved', receivedAt: t(3) }), sender, notHidden)).toMatchObject(
      { alert: { autoResolveAt: null } },
    );
  });
});

describe('windows', () => {
  const patching: SuppressingWindow = { windowId: 'sup_1', until: t(60) };
  const longer: SuppressingWindow = { windowId: 'sup_2', until: t(90) };
  const hiddenBy = (suppressing: SuppressingWindow): AlertState => {
    const decision = decideEvent(null, event(), sender, () => suppressing);
    if (decision.kind !== 'opened') throw new Error('not opened');
    return decision.alert;
  };

  test('a new firing alert in a window is suppressed, a new acknowledged alert is not', () => {
    expect(hiddenBy(patching)).toMatchObject({
      status: 'suppressed',
      suppression: { ...patching, priorStatus: 'firing' },
      version: 1,
    });
    expect(decideEvent(null, event({ status: 'acknowledged' }), sender, () => patching)).toMatchObject({
      alert: { status: 'acknowledged', suppression: null },
    });
  });

  test('suppression by the sender: no window replaces or ends it, but one may suppress its next firing event', () => {
    const own = alertIn('suppressed');
    expect(decideEvent(own, event({ receivedAt: t(3) }), sender, () => patching)).toMatchObject({
      type: 'alert.suppressed',
      alert: { status: 'suppressed', suppression: { ...patching, priorStatus: 'firing' } },
    });
    expect(decideWindows(own, null, 'resolve', t(3), person)).toEqual({ kind: 'unchanged' });
    expect(decideWindows(own, patching, 'resume', t(3), person)).toEqual({ kind: 'unchanged' });
  });

  test.each<[string, AlertStatus | 'hidden', SuppressingWindow | null, string, AlertStatus]>([
    ['a firing alert that matches now is hidden', 'firing', patching, 'alert.suppressed', 'suppressed'],
    ['a hidden one counts on', 'hidden', patching, 'alert.occurred', 'suppressed'],
    ['a window that ends later takes over', 'hidden', longer, 'alert.occurred', 'suppressed'],
    ['one that no window matches any more resumes', 'hidden', null, 'alert.resumed', 'firing'],
    ['an acknowledged one stays acknowledged', 'acknowledged', patching, 'alert.occurred', 'acknowledged'],
  ])('a further firing event: %s', (_name, from, suppressing, type, to) => {
    const open =
      from === 'hidden' ? hiddenBy(patching) : from === 'acknowledged' ? acknowledgedBy(person) : alertIn(from);
    const decision = decideEvent(open, event({ receivedAt: t(5) }), sender, () => suppressing);
    expect(decision).toMatchObject({
      kind: 'changed',
      type,
      alert: { status: to, occurrenceCount: 2, version: open.version + 1 },
    });
    if (to === 'suppressed')
      expect(decision).toMatchObject({ alert: { suppression: { ...suppressing, priorStatus: 'firing' } } });
  });

  test('windows are evaluated with the newest values', () => {
    const exceptCritical = (alert: AlertState): SuppressingWindow | null =>
      alert.severity === 'critical' ? null : patching;
    const open = hiddenBy(patching);
    expect(decideEvent(open, event({ severity: 'critical', receivedAt: t(5) }), sender, exceptCritical)).toMatchObject({
      type: 'alert.resumed',
      alert: { status: 'firing', severity: 'critical' },
    });
  });

  test.each<[string, AlertStatus | 'hidden', SuppressingWindow | null, 'resume' | 'resolve', string, AlertStatus]>([
    ['one begins over a firing alert', 'firing', patching, 'resume', 'alert.suppressed', 'suppressed'],
    ['one begins over an acknowledged alert', 'acknowledged', patching, 'resume', 'unchanged', 'acknowledged'],
    ['one begins over a resolved alert', 'resolved', patching, 'resume', 'unchanged', 'resolved'],
    ['the last one ends', 'hidden', null, 'resume', 'alert.resumed', 'firing'],
    ['the last one ends and resolves', 'hidden', null, 'resolve', 'alert.resolved', 'resolved'],
    ['another is still active', 'hidden', longer, 'resolve', 'alert.suppressionChanged', 'suppressed'],
    ['nothing has changed', 'hidden', patching, 'resume', 'unchanged', 'suppressed'],
  ])('%s', (_name, from, suppressing, onEnd, type, to) => {
    const before = from === 'hidden' ? hiddenBy(patching) : alertIn(from);
    const decision = decideWindows(before, suppressing, onEnd, t(60), person);
    expect(decision.kind === 'changed' ? decision.type : decision.kind).toBe(type);
    expect(decision.kind === 'changed' ? decision.alert.status : before.status).toBe(to);
    if (to === 'resolved' && decision.kind === 'changed')
      expect(decision.alert).toMatchObject({ resolveReason: 'timeout', resolvedBy: person });
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
    const decision = decideCommand(
      alertIn(from),
      action === 'resolve' ? { action, reason: 'api' } : { action },
      t(9),
      person,
    );
    expect(decision.kind).toBe(kind);
    if (decision.kind === 'refused')
      expect(decision).toEqual({ kind: 'refused', from: 'resolved', to: 'acknowledged', allowed: [] });
    if (decision.kind === 'changed' && action === 'resolve')
      expect(decision.alert).toMatchObject({
        resolvedAt: t(9),
        resolvedBy: person,
        resolveReason: 'api',
        suppression: null,
      });
  });
});

describe('an alert whose incident is triggered again', () => {
  test.each([
    ['a person', person],
    ['the sender', sender],
  ])('fires again, whoever has acknowledged it: %s', (_name, by) => {
    expect(unacknowledged(acknowledgedBy(by), notHidden)).toMatchObject({
      type: 'alert.resumed',
      alert: { status: 'firing', acknowledgedAt: null, acknowledgedBy: null, version: 3 },
    });
  });

  test('is suppressed while a window matches', () => {
    expect(unacknowledged(acknowledgedBy(person), () => ({ windowId: 'sup_1', until: t(60) }))).toMatchObject({
      type: 'alert.suppressed',
      alert: {
        status: 'suppressed',
        acknowledgedBy: null,
        suppression: { windowId: 'sup_1', until: t(60), priorStatus: 'firing' },
      },
    });
  });

  test.each<AlertStatus>(['firing', 'suppressed', 'resolved'])('stays as it is when it is %s', (status) => {
    expect(unacknowledged(alertIn(status), notHidden)).toEqual({ kind: 'unchanged' });
  });
});

describe('an acknowledgement that a person takes back', () => {
  const unchanged = { kind: 'unchanged' };
  test.each<[AlertStatus, object]>([
    ['firing', unchanged],
    ['acknowledged', { kind: 'changed', type: 'alert.resumed', alert: { status: 'firing', acknowledgedBy: null } }],
    ['suppressed', unchanged],
    ['resolved', { kind: 'refused', from: 'resolved', to: 'firing', allowed: [] }],
  ])('of an alert that is %s', (status, expected) => {
    const alert = status === 'acknowledged' ? acknowledgedBy(person) : alertIn(status);
    expect(decideUnacknowledge(alert, notHidden)).toMatchObject(expected);
  });
});

test('an occurrence and a change of the suppression are not published, everything else is', () => {
  expect(isPublished('alert.occurred')).toBe(false);
  expect(isPublished('alert.suppressionChanged')).toBe(false);
  for (const type of ['alert.noted', 'alert.resumed', 'alert.assigned'] as const) expect(isPublished(type)).toBe(true);
});

describe('any history of events', () => {
  const step = fc.oneof(
    fc.record({
      status: fc.constantFrom(...alertStatuses),
      severity: fc.constantFrom(...severities),
      minute: fc.integer({ min: 0, max: 1000 }),
    }),
    fc.constantFrom('acknowledge' as const, 'resolve' as const),
  );

  test('versions have no gaps, states follow the table, and the record never contradicts itself', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        let open: AlertState | null = null;
        let firings = 0;
        for (const next of steps) {
          const before: AlertState | null = open;
          if (typeof next === 'string') {
            if (!open) continue;
            const decision = decideCommand(
              open,
              next === 'resolve' ? { action: next, reason: 'api' } : { action: next },
              t(1),
              person,
            );
            if (decision.kind === 'changed') open = decision.alert;
          } else {
            const { minute, ...values } = next;
            const decision = decideEvent(open, event({ ...values, receivedAt: t(minute) }), sender, notHidden);
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
          expect(open.status === 'resolved').toBe(
            open.resolvedAt !== null && open.resolvedBy !== null && open.resolveReason !== null,
          );
          expect(open.status === 'suppressed').toBe(open.suppression !== null);
          if (open.status === 'acknowledged') expect(open.acknowledgedBy).not.toBeNull();
          if (open.status === 'resolved') open = null;
        }
      }),
    );
  });
});

describe('edits of the sender', () => {
  const labelled = (): AlertState => ({ ...alertIn('firing'), labels: { tags: 'a, b', host: 'web' } });
  const edited = (open: AlertState | null, edit: AlertEdit) =>
    decideEvent(open, event({ edit, opensNone: true, receivedAt: t(5) }), sender, notHidden);

  test.each<[string, AlertEdit, string, Partial<AlertState>]>([
    ['a note', { note: 'n' }, 'alert.noted', {}],
    [
      'labels',
      { setLabels: { host: 'db', env: 'x' } },
      'alert.labelsChanged',
      { labels: { tags: 'a, b', host: 'db', env: 'x' } },
    ],
    [
      'labels that are removed',
      { removeLabels: ['host', 'none'] },
      'alert.labelsChanged',
      { labels: { tags: 'a, b' } },
    ],
    ['tags', { addTags: ['c', 'a'] }, 'alert.labelsChanged', { labels: { host: 'web', tags: 'a, b, c' } }],
    ['tags that are removed', { removeTags: ['a', 'b'] }, 'alert.labelsChanged', { labels: { host: 'web' } }],
    ['a title', { title: 'new' }, 'alert.noted', { title: 'new' }],
    [
      'a severity and a title',
      { severity: 'low', title: 'x' },
      'alert.severityChanged',
      { severity: 'low', title: 'x' },
    ],
  ])('%s', (_name, edit, type, values) => {
    const open = labelled();
    const decision = edited(open, edit);
    expect(decision).toMatchObject({ kind: 'changed', type, alert: values });
    if (decision.kind !== 'changed') return;
    // It is no occurrence and no firing event: nothing else changes, and the time of an automatic resolve stays.
    expect({ ...decision.alert }).toEqual({ ...open, ...values, version: open.version + 1 });
    expect(edited(null, edit)).toEqual({ kind: 'noMatch' });
  });

  test.each<[string, AlertEdit]>([
    ['labels that are there', { setLabels: { host: 'web' }, addTags: ['a'] }],
    ['labels that are not there', { removeLabels: ['x'], removeTags: ['y'] }],
    ['the same values', { title: 'High CPU', severity: 'high' }],
  ])('%s change nothing', (_name, edit) => {
    expect(edited(labelled(), edit)).toEqual({ kind: 'unchanged' });
  });

  test('unacknowledge ends the acknowledgement of the sender, not that of a person', () => {
    expect(edited(acknowledgedBy(sender), { unacknowledge: true })).toMatchObject({
      kind: 'changed',
      type: 'alert.resumed',
      alert: { status: 'firing', acknowledgedBy: null, acknowledgedAt: null, occurrenceCount: 1 },
    });
    expect(edited(acknowledgedBy(person), { unacknowledge: true })).toEqual({ kind: 'unchanged' });
    expect(edited(alertIn('firing'), { unacknowledge: true })).toEqual({ kind: 'unchanged' });
  });
});
