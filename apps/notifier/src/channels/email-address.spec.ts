/** Every e-mail address that may be stored can also be sent to, because input and sending use the same check. */
import type { SendRequest } from '@ams/contracts';
import { isEmailAddress, validateWorkflow } from '@ams/domain';
import fc from 'fast-check';
import { notice } from '../../testing/notices.js';
import { Clock } from '../clock.js';
import { HttpClient } from '../http/http-client.js';
import { Resolver } from '../http/resolver.js';
import { MailServer } from '../mail/mail-server.js';
import { PushEncryption } from '../push/push-encryption.js';
import { NotifierSettings } from '../settings.js';
import { deliveryOf } from './channel-senders.js';
import { Transports } from './transports.js';

const settings = Object.assign(new NotifierSettings(), {
  smtpUrl: 'smtp://127.0.0.1:1',
  mailFrom: 'alerts@example.com',
});
const mail = new MailServer(settings);
const transports = new Transports(
  settings,
  new HttpClient(settings, new Resolver()),
  mail,
  new PushEncryption(settings),
  new Clock(),
);
afterAll(() => mail.onApplicationShutdown());

const request = (address: string): SendRequest => ({
  notificationId: 'ntf_1',
  target: { channel: 'email', address, name: null },
  notice: notice(),
  event: { id: 'evt_1', type: 'alert.created', occurredAt: '2026-11-20T14:00:00.000Z', data: {} },
});

/** A message that cannot be sent has no hops. */
const isSent = (address: string): boolean => deliveryOf(request(address), transports).hops.length > 0;

const isTarget = (address: string): boolean =>
  validateWorkflow({
    trigger: { events: ['alert.created'] },
    steps: [{ id: 'page', type: 'notify', params: { targets: [{ type: 'email', address }] } }],
  }).length === 0;

test.each(['jörg@example.com', 'a@bücher.example', '用户@例え.jp', 'ops@localhost', 'a..b@docomo.example'])(
  '%s may be the address of a member or of a target, and mail can be sent to it',
  (address) => expect([isEmailAddress(address), isTarget(address), isSent(address)]).toEqual([true, true, true]),
);

test('an address is accepted as input exactly when mail can be sent to it; a target may not look like a template', () => {
  const piece = fc.oneof(
    fc.constantFrom('a', 'ö', '@', '.', '-', ' ', '<', ',', '例', 'com', 'x'.repeat(64), '\u202e', '\r\n', '_', '0x7f'),
    fc.string({ unit: 'grapheme', maxLength: 5 }),
  );
  const pieces = fc.array(piece, { maxLength: 8 }).map((all) => all.join(''));
  fc.assert(
    fc.property(
      fc.oneof(
        pieces,
        fc.emailAddress(),
        fc.tuple(pieces, pieces).map((all) => all.join('@')),
      ),
      (address) => {
        const isTemplate = address.includes('{{');
        expect([isEmailAddress(address), isTarget(address)]).toEqual([isSent(address), isSent(address) && !isTemplate]);
      },
    ),
    { numRuns: 2_000 },
  );
});
