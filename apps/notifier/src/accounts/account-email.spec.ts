import type { AccountMail } from '@ams/contracts';
import fc from 'fast-check';
import { hostilePieces, named } from '../../testing/notices.js';
import { accountEmail } from './account-email.js';

const from = 'Alerts <alerts@alerts.example.com>';
const link = 'https://alerts.example.com/invitation#q3vN0m7cB2yXh5kTz8wLr1sDf4gJp6aEu9iOx2nVbQc';

const mail = (fields: Partial<AccountMail> = {}): AccountMail => ({
  id: '01938f3a-7c2e-7d4a-b1c2-d3e4f5061728',
  to: { address: 'ann@example.com', name: 'Ann' },
  purpose: 'invitation',
  organizationName: 'Acme',
  requestedBy: 'Mira',
  link,
  expiresAt: '2026-11-27T14:00:00.000Z',
  ...fields,
});

test('an invitation says who invites to what, and until when the link can be used', () => {
  const { subject, text, html, messageId, to } = accountEmail(mail(), from);
  expect(subject).toBe('You are invited to Acme');
  expect(text).toBe(
    'Mira invites you to the alert management of Acme.\n\nOpen the link to choose a password and sign in.\n\n' +
      `Accept the invitation: ${link}\n\n` +
      'The link can be used once, until 2026-11-27 14:00 UTC. Do not pass it on.\n',
  );
  expect(html).toContain(`href="${link}"`);
  expect({ messageId, to }).toEqual({
    messageId: '<01938f3a-7c2e-7d4a-b1c2-d3e4f5061728@alerts.example.com>',
    to: { name: 'Ann', address: 'ann@example.com' },
  });
});

test('a key that invites is not named, and a mail without a link has no button', () => {
  expect(accountEmail(mail({ requestedBy: null }), from).text).toMatch(/^You are invited to the alert management/);
  const told = accountEmail(mail({ purpose: 'password_changed', link: null, expiresAt: null }), from);
  expect(told.subject).toBe('Your password was changed');
  expect(told.text + told.html).not.toMatch(/https?:|<a /);
});

test.each(named(hostilePieces))('%s in a name adds no markup, no header and no line', (_name, piece) => {
  const message = accountEmail(
    mail({ organizationName: piece, requestedBy: piece, to: { address: 'a@b.c', name: piece } }),
    from,
  );
  expect(message.subject).not.toMatch(/[\r\n]/);
  expect(message.html.match(/<a /g)).toHaveLength(1);
  expect(message.html).not.toMatch(/<(script|img|b|i)\b/);
});

test('whatever a name is, the mail has the same lines', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (name) => {
      const { text, subject } = accountEmail(mail({ organizationName: name, requestedBy: name }), from);
      expect(text.split('\n')).toHaveLength(8);
      expect(subject.length).toBeLessThan(150);
    }),
  );
});
