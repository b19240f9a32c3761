/** Notices to send: ordinary ones, and hostile ones. */
import type { Alert, Incident, Notice, SendRequest } from '@ams/contracts';
import { incidentExample } from '@ams/contracts';
import { alertStatuses, severities } from '@ams/domain';
import fc from 'fast-check';

export const alert = (fields: Partial<Alert> = {}): Alert => ({
  id: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728',
  title: 'High CPU',
  description: 'CPU > 95 % for 10 min',
  severity: 'critical',
  status: 'firing',
  source: 'prometheus',
  fingerprint: 'cpu-web-01',
  fingerprintSource: 'explicit',
  labels: { host: 'web-01', region: 'eu' },
  annotations: { runbook: 'https://runbooks.example.com/cpu?a=1&b=2', owner: 'team web' },
  clientId: 'cli_1',
  integrationId: 'int_1',
  incidentId: null,
  assigneeId: null,
  firstOccurredAt: '2026-11-20T14:00:00.000Z',
  lastOccurredAt: '2026-11-20T14:05:00.000Z',
  occurrenceCount: 2,
  previousAlertId: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  resolvedAt: null,
  resolvedBy: null,
  resolveReason: null,
  suppression: null,
  createdAt: '2026-11-20T14:00:00.120Z',
  updatedAt: '2026-11-20T14:05:00.080Z',
  version: 2,
  ...fields,
});

export const incident = (fields: Partial<Incident> = {}): Incident => ({
  ...incidentExample,
  severity: 'critical',
  ...fields,
});

export const notice = (fields: Partial<Notice> = {}): Notice => ({
  subject: '',
  message: 'Call the data centre if it lasts.',
  alert: alert(),
  incident: null,
  otherAlerts: [],
  clientName: 'Acme',
  organizationName: 'Example Hosting',
  environment: 'live',
  reason: 'You are on call for Web.',
  links: {
    open: 'https://alerts.example.com/a/1',
    acknowledge: 'https://alerts.example.com/a/1/ack?t=abc',
    resolve: 'https://alerts.example.com/a/1/resolve?t=abc',
  },
  ...fields,
});

export const request = (target: SendRequest['target'], fields: Partial<SendRequest> = {}): SendRequest => ({
  notificationId: 'ntf_01938f3a7c2e7d4ab1c2d3e4f5060009',
  target,
  notice: notice(),
  event: {
    id: 'evt_1',
    type: 'alert.created',
    occurredAt: '2026-11-20T14:00:00.000Z',
    version: 2,
    data: { alert: { title: 'High CPU', severity: 'critical' } },
  },
  ...fields,
});

/** Pieces of HTML, headers, Markdown, mentions, direction marks, halves of surrogate pairs. */
export const hostilePieces = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '"><b>',
  "' onmouseover='x",
  '&lt;',
  '</td></table>',
  '\r\nBcc: victim@example.com',
  '\n\nSecond body',
  '\r\n.\r\n',
  '\u0000',
  '\u0007',
  '\u202e',
  '\u2066',
  '\u200f',
  '\u2028',
  '\ud800',
  '\udc00',
  '😀',
  '👩‍👩‍👧',
  'عربى',
  '@everyone',
  '@here',
  '@channel',
  '<!channel>',
  '<!here|x>',
  '<@U123>',
  '<@&1>',
  '<#C1>',
  '<at>all</at>',
  '[click](javascript:alert(1))',
  '![x](https://evil.example/x.png)',
  '**bold**',
  '__u__',
  '~~s~~',
  '`code`',
  '```',
  '# head',
  '> quote',
  '- item',
  '| a | b |',
  '\\',
  '<https://evil.example|ok>',
  '*',
  '_',
  '=?utf-8?Q?x?=',
  '{{title}}',
  '${x}',
  '%0d%0aX: y',
  'a'.repeat(1024),
  '<'.repeat(500),
  '*'.repeat(1024),
  '\n'.repeat(300),
];

/** For a table of tests: each piece with a short name. */
export const named = (pieces: readonly string[]): [name: string, piece: string][] =>
  pieces.map((piece) => [JSON.stringify(piece).slice(0, 50), piece]);

const piece = fc.constantFrom(...hostilePieces);

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  piece,
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(' ')),
  fc.string({ unit: 'binary', maxLength: 300 }),
);

const link = fc.oneof(
  fc.constant(null),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc.constantFrom('javascript:alert(1)', 'data:text/html,x', 'https://x.example/?a=1|2&b=(3)"\'<>'),
);
const values = fc.dictionary(hostileText, fc.oneof(hostileText, fc.webUrl({ withQueryParameters: true })), {
  maxKeys: 64,
});

const description = fc.option(
  fc.array(hostileText, { maxLength: 40 }).map((parts) => parts.join('\n').slice(0, 32_768)),
);

/** Any possible notice, within the limits of alerts. */
export const anyNotice: fc.Arbitrary<Notice> = fc
  .record({
    subject: hostileText,
    message: fc.option(hostileText),
    title: hostileText,
    description,
    severity: fc.constantFrom(...severities),
    status: fc.constantFrom(...alertStatuses),
    labels: values,
    annotations: values,
    source: fc.option(hostileText),
    others: fc.array(hostileText, { maxLength: 12 }),
    clientName: fc.option(hostileText),
    organizationName: hostileText,
    reason: hostileText,
    environment: fc.constantFrom('live' as const, 'test' as const),
    links: fc.record({ open: link, acknowledge: link, resolve: link }),
    hasIncident: fc.boolean(),
    hasAlert: fc.boolean(),
    count: fc.integer({ min: 1, max: 99 }),
  })
  .map(
    ({
      title,
      description,
      severity,
      status,
      labels,
      annotations,
      source,
      others,
      hasIncident,
      hasAlert,
      count,
      ...rest
    }) => ({
      ...rest,
      alert: hasAlert
        ? alert({
            title: title.slice(0, 1024),
            description,
            severity,
            status,
            labels,
            annotations,
            source,
            occurrenceCount: count,
          })
        : null,
      incident: hasIncident ? incident({ title: title.slice(0, 1024), summary: description, severity }) : null,
      otherAlerts: others,
    }),
  );
