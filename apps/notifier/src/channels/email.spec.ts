import fc from 'fast-check';
import { alert, anyNotice, hostilePieces, incident, named, notice } from '../../testing/notices.js';
import { emailMessage, hostOf } from './email.js';

const from = 'Alerts <alerts@alerts.example.com>';
const to = { address: 'ann@example.com', name: 'Ann' };
const mail = (fields: Parameters<typeof notice>[0] = {}) => emailMessage('ntf_1', to, notice(fields), from);

/** Every tag that the page may have, with every attribute it may have. */
const ownTag =
  /^<(?:!doctype html|\/?(?:html|head|meta|title|style|body|div|p|h1|table|tr|th|td|a|br|ul|li)(?: (?:lang|charset|name|content|style|href|role)="[^"<>]*")*)>$/;

const tagsOf = (html: string): string[] => html.match(/<[^>]*>?/g) ?? [];
const linksOf = (html: string): string[] => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href!);

test.each([
  ['alerts@example.com', 'example.com'],
  ['Alerts <alerts@mail.example.com>', 'mail.example.com'],
  ['"a@b" <x@example.org>', 'example.org'],
  ['nonsense', 'localhost'],
])('the host of %s is %s', (address, host) => expect(hostOf(address)).toBe(host));

test('the most important facts come first, and all other facts are present', () => {
  const { subject, text, html } = mail({ alert: alert({ description: 'first line\nsecond line' }) });
  expect(subject).toBe('[CRITICAL] High CPU — Acme');
  expect(text.split('\n').slice(0, 6)).toEqual([
    'CRITICAL',
    'High CPU',
    'Severity: critical',
    'Status: firing',
    'Client: Acme',
    'Since: 2026-11-20 14:00 UTC',
  ]);
  for (const part of [
    'Acknowledge: https://alerts.example.com/a/1/ack?t=abc',
    'Resolve: https://',
    'Open: https://',
    'Call the data centre',
    'first line\nsecond line',
    'Labels:\n  host: web-01',
    'runbook: https://runbooks',
    'You are on call for Web.',
  ]) {
    expect(text).toContain(part);
  }
  for (const part of [
    '>CRITICAL<',
    '>High CPU</h1>',
    '>Acknowledge</a>',
    'first line<br>second line',
    '>web-01<',
    '>You are on call for Web.<',
    'color-scheme',
  ])
    expect(html).toContain(part);
  expect(linksOf(html)).toEqual([
    'https://alerts.example.com/a/1/ack?t=abc',
    'https://alerts.example.com/a/1/resolve?t=abc',
    'https://alerts.example.com/a/1',
    'https://runbooks.example.com/cpu?a=1&amp;b=2',
  ]);
});

test('the test environment is named in the subject and in both parts', () => {
  const { subject, text, html } = mail({ environment: 'test' });
  expect(subject).toMatch(/^\[TEST\] /);
  expect(text).toMatch(/^This comes from the test environment\./);
  expect(html).toContain('This comes from the test environment.');
});

test('programs can see the kind of mail, its thread, and whether it is a repetition', () => {
  const ofAlert = mail();
  expect(ofAlert).toMatchObject({
    messageId: '<ntf_1@alerts.example.com>',
    inReplyTo: `<${alert().id}@alerts.example.com>`,
    references: `<${alert().id}@alerts.example.com>`,
    priority: 'high',
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Entity-Ref-ID': alert().id },
  });
  expect(mail()).toEqual(ofAlert);
  expect(mail({ incident: incident() }).references).toBe(`<${incident().id}@alerts.example.com>`);
  expect(mail({ alert: alert({ incidentId: incident().id }) }).references).toBe(
    `<${incident().id}@alerts.example.com>`,
  );
  expect(mail({ alert: alert({ severity: 'low' }) }).priority).toBe('normal');
  expect(mail({ alert: alert({ status: 'resolved' }) }).priority).toBe('normal');
});

test.each(named(hostilePieces))('%s may occur in every text of the mail', (_name, piece) => {
  const hostile = mail({
    subject: '',
    alert: alert({
      title: piece,
      description: piece,
      labels: { [piece]: piece },
      annotations: { [piece]: piece, link: `https://example.com/${piece}` },
      source: piece,
    }),
    clientName: piece,
    organizationName: piece,
    message: piece,
    reason: piece,
    otherAlerts: [piece],
  });
  expect(hostile.subject).not.toMatch(/[\r\n]/);
  for (const tag of tagsOf(hostile.html)) expect(tag).toMatch(ownTag);
  for (const href of linksOf(hostile.html)) expect(href).toMatch(/^https?:\/\//);
});

test('no notice can inject markup into the page, or headers into the subject or the name', () => {
  fc.assert(
    fc.property(anyNotice, fc.string({ unit: 'binary' }), (any, name) => {
      const message = emailMessage('ntf_1', { address: 'ann@example.com', name }, any, from);
      for (const tag of tagsOf(message.html)) expect(tag).toMatch(ownTag);
      for (const href of linksOf(message.html)) expect(href).toMatch(/^https?:\/\//);
      for (const text of [message.subject, message.to.name])
        expect(text).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
      expect(message.text + message.html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/u);
      expect(message.text.isWellFormed() && message.html.isWellFormed()).toBe(true);
    }),
    { numRuns: 60 },
  );
});
