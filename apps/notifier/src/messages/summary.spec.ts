import type { Notice } from '@ams/contracts';
import fc from 'fast-check';
import { alert, anyNotice, incident, notice } from '../../testing/notices.js';
import { summaryOf } from './summary.js';

describe('the headline', () => {
  test.each<[string, Partial<Notice>, string]>([
    ['of an alert', {}, '[CRITICAL] High CPU — Acme'],
    ['without a client', { clientName: null }, '[CRITICAL] High CPU'],
    ['of an incident', { incident: incident() }, '[#42 CRITICAL] Checkout is slow — Acme'],
    ['of a resolved alert', { alert: alert({ status: 'resolved' }) }, '[RESOLVED] High CPU — Acme'],
    [
      'of what somebody works on',
      { incident: incident({ status: 'acknowledged' }) },
      '[#42 ACKNOWLEDGED] Checkout is slow — Acme',
    ],
    ['in the test environment', { environment: 'test' }, '[TEST] [CRITICAL] High CPU — Acme'],
    ['when the subject is only the title', { subject: 'High  CPU' }, '[CRITICAL] High CPU — Acme'],
    ['as the author wrote it', { subject: 'Web farm is down' }, 'Web farm is down'],
    [
      'as the author wrote it, in the test environment',
      { subject: 'Web farm is down', environment: 'test' },
      '[TEST] Web farm is down',
    ],
    ['about neither', { alert: null, subject: 'A test message' }, '— Acme'],
    [
      'with line breaks',
      { alert: alert({ title: 'a\r\nBcc: victim@example.com' }) },
      '[CRITICAL] a Bcc: victim@example.com — Acme',
    ],
    [
      'with a title of 1,024 characters',
      { alert: alert({ title: 'x'.repeat(1024) }) },
      `[CRITICAL] ${'x'.repeat(231)}… — Acme`,
    ],
    ['with a title of blanks', { alert: alert({ title: ' \u200b ' }) }, '[CRITICAL] Notification — Acme'],
  ])('%s', (_what, fields, headline) => {
    const shown = summaryOf(notice(fields)).headline;
    if (headline.startsWith('—')) expect(shown).toBe(`A test message ${headline}`);
    else expect(shown).toBe(headline);
    expect(shown.length).toBeLessThanOrEqual(250);
  });
});

test('the facts are in the order of their importance', () => {
  expect(summaryOf(notice()).facts).toEqual([
    { name: 'Severity', value: 'critical' },
    { name: 'Status', value: 'firing' },
    { name: 'Client', value: 'Acme' },
    { name: 'Since', value: '2026-11-20 14:00 UTC' },
    { name: 'Occurrences', value: '2, the last at 2026-11-20 14:05 UTC' },
    { name: 'Source', value: 'prometheus' },
    { name: 'Organization', value: 'Example Hosting' },
  ]);
});

test('the texts of an incident come before those of its alert', () => {
  const { title, description, facts, labels } = summaryOf(
    notice({ incident: incident({ summary: 'Payments fail' }), otherAlerts: ['Disk full'] }),
  );
  expect([title, description]).toEqual(['Checkout is slow', 'Payments fail']);
  expect(facts).toContainEqual({ name: 'Alert', value: 'High CPU' });
  expect(labels).toContainEqual({ name: 'host', value: 'web-01' });
});

test('only web addresses are links', () => {
  const { annotations, actions } = summaryOf(
    notice({
      alert: alert({
        annotations: {
          runbook: 'https://example.com/r',
          trap: 'javascript:alert(1)',
          words: 'see https://example.com',
        },
      }),
      links: { open: 'https://alerts.example.com/1', acknowledge: 'javascript:alert(1)', resolve: null },
    }),
  );
  expect(annotations.map(({ name, href }) => [name, href])).toEqual([
    ['runbook', 'https://example.com/r'],
    ['trap', null],
    ['words', null],
  ]);
  expect(actions).toEqual([{ label: 'Open', href: 'https://alerts.example.com/1' }]);
});

test('the colour shows the severity, and green means resolved', () => {
  const colours = (['critical', 'high', 'medium', 'low', 'info'] as const).map(
    (severity) => summaryOf(notice({ alert: alert({ severity }) })).colour,
  );
  expect(new Set(colours).size).toBe(5);
  expect(summaryOf(notice({ alert: alert({ status: 'resolved' }) })).colour).toBe('#2b8a3e');
});

test('every notice has a headline within the limit and ten facts at most', () => {
  fc.assert(
    fc.property(anyNotice, (any) => {
      const { headline, facts, otherAlerts } = summaryOf(any);
      expect(headline.length).toBeLessThanOrEqual(250);
      expect(headline).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(facts.length).toBeLessThanOrEqual(10);
      expect(otherAlerts.length).toBeLessThanOrEqual(10);
    }),
    { numRuns: 60 },
  );
});

test.each([
  ['incident.created', 'You are on call for Web. Event: Incident created, 2026-11-20 14:00 UTC.'],
  ['alert.severityChanged', 'You are on call for Web. Event: Alert severity changed, 2026-11-20 14:00 UTC.'],
  ['test', 'You are on call for Web.'],
])('a message shows the present state, and names its event %s', (type, expected) => {
  const about = notice({ alert: alert({ status: 'acknowledged' }) });
  const { badge, reason } = summaryOf(about, { type, occurredAt: '2026-11-20T14:00:00.000Z' });
  expect([badge, reason]).toEqual(['ACKNOWLEDGED', expected]);
});
