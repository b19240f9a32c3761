import { publicId, type Incident } from '@ams/contracts';
import fc from 'fast-check';
import { alert, anyNotice, incident, notice, request } from '../../testing/notices.js';
import { maxPayloadBytes, pushPayload, topicOf, type PushPayload } from './push-payload.js';

const target = { channel: 'push', deviceId: 'd', name: 'Ann', subscription: '' } as const;
const sent = (fields: Parameters<typeof notice>[0] = {}) => request(target, { notice: notice(fields) });
const payload = (fields: Parameters<typeof notice>[0] = {}) => JSON.parse(pushPayload(sent(fields))) as PushPayload;

const none = { open: null, acknowledge: null, resolve: null };
const links = {
  open: 'https://alerts.example.com/incidents/42',
  acknowledge: 'https://alerts.example.com/act/abc.def',
  resolve: 'https://alerts.example.com/act/ghi.jkl',
};

test('says what an incident is, where its page is, and how to acknowledge it', () => {
  expect(payload({ incident: incident(), links })).toEqual({
    title: '[#42 CRITICAL] Checkout is slow — Acme',
    body: expect.stringMatching(/^Call the data centre if it lasts\.\nYou are on call for Web\./) as string,
    tag: incident().id,
    severity: 'critical',
    status: 'triggered',
    number: 42,
    open: '/incidents/42',
    acknowledge: '/act/abc.def',
    silent: false,
  });
});

test.each<[string, Partial<Incident>, Partial<PushPayload>]>([
  ['an acknowledged incident has nothing to acknowledge', { status: 'acknowledged' }, { acknowledge: null }],
  ['a resolved one makes no sound', { status: 'resolved' }, { acknowledge: null, silent: true }],
  ['one of low urgency makes no sound', { urgency: 'low' }, { acknowledge: '/act/abc.def', silent: true }],
])('%s', (_what, fields, expected) => expect(payload({ incident: incident(fields), links })).toMatchObject(expected));

test('what replaces a message says what has changed, without sound and without the reason', () => {
  const fields = {
    incident: incident({ status: 'acknowledged' }),
    links,
    silent: true,
    message: 'Acknowledged by Ann.',
  };
  expect(payload(fields)).toMatchObject({
    title: '[#42 ACKNOWLEDGED] Checkout is slow — Acme',
    body: 'Acknowledged by Ann.',
    tag: incident().id,
    acknowledge: null,
    silent: true,
  });
});

test('an alert without an incident, and a test message', () => {
  expect(payload({ links: none })).toMatchObject({ tag: alert().id, number: null, open: null, acknowledge: null });
  const test = { alert: null, clientName: null, subject: 'A test message', message: null, links: none };
  expect(payload(test)).toMatchObject({ title: 'A test message', tag: sent().notificationId, severity: null });
});

test('any message is short enough to be encrypted, and has its tag', () => {
  const longLink = `https://alerts.example.com/act/${'x'.repeat(3500)}`;
  fc.assert(
    fc.property(anyNotice, fc.boolean(), (any, isLong) => {
      const asked = request(target, { notice: isLong ? { ...any, links: { ...links, acknowledge: longLink } } : any });
      const text = pushPayload(asked);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(maxPayloadBytes);
      const { tag, title } = JSON.parse(text) as PushPayload;
      expect(tag).toBe(any.incident?.id ?? any.alert?.id ?? asked.notificationId);
      expect(title).not.toBe('');
      expect(topicOf(asked)).toMatch(/^[A-Za-z0-9_-]{0,32}$/);
    }),
  );
});

test('messages about one incident have one topic', () => {
  const id = '01938f3a-7c2e-7d4a-b1c2-d3e4f5060040';
  expect(topicOf(sent({ incident: incident({ id: publicId('incident', id) }) }))).toBe(id.replaceAll('-', ''));
});
