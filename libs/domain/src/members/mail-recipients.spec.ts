import fc from 'fast-check';
import {
  isProvedBy,
  isStopped,
  mailRecipientKey,
  mailRecipientStatuses,
  mailRefusal,
  verificationTextOf,
  type MailFacts,
} from './mail-recipients.js';

const unknown: MailFacts = { isMember: false, address: null, domain: null };

test.each<[string, Partial<MailFacts>, RegExp | null]>([
  ['an address that nobody knows', {}, /verified neither/],
  ['an active member', { isMember: true }, null],
  ['a verified address', { address: 'verified' }, null],
  ['an address of a verified domain', { domain: 'verified' }, null],
  ['an address that waits for its confirmation', { address: 'pending' }, /verified neither/],
  ['an address whose domain waits for its proof', { domain: 'pending' }, /verified neither/],
  ['a pending address of a verified domain', { address: 'pending', domain: 'verified' }, null],
  ['a bounced address of a verified domain', { address: 'bounced', domain: 'verified' }, /refused the address/],
  ['the bounced address of a member', { isMember: true, address: 'bounced' }, /refused the address/],
  ['a member who complained', { isMember: true, address: 'complained' }, /complained/],
])('%s', (_name, facts, refusal) => {
  const found = mailRefusal({ ...unknown, ...facts });
  if (refusal === null) expect(found).toBeNull();
  else expect(found).toMatch(refusal);
});

test('an address that has stopped gets no mail, and nobody gets mail without a reason', () => {
  const status = fc.option(fc.constantFrom(...mailRecipientStatuses));
  fc.assert(
    fc.property(fc.record({ isMember: fc.boolean(), address: status, domain: status }), (facts) => {
      const isSent = mailRefusal(facts) === null;
      if (isStopped(facts.address)) expect(isSent).toBe(false);
      if (isSent) expect(facts.isMember || facts.address === 'verified' || facts.domain === 'verified').toBe(true);
    }),
  );
});

test.each([
  ['address', 'Ops@Example.COM', 'ops@example.com'],
  ['address', 'ops@Bücher.example', 'ops@xn--bcher-kva.example'],
  ['address', 'example.com', null],
  ['domain', 'Example.COM', 'example.com'],
  ['domain', 'Bücher.example', 'xn--bcher-kva.example'],
  ['domain', 'localhost', null],
  ['domain', 'ops@example.com', null],
  ['domain', '10.0.0.1', null],
  ['domain', `${'a.'.repeat(125)}example`, null],
  ['domain', '', null],
] as const)('the %s %s is compared as %s', (kind, text, key) => expect(mailRecipientKey(kind, text)).toBe(key));

test('a domain is proved by a TXT record with its token, also one in parts', () => {
  const token = 'q3vN0m7cB2yXh5kTz8wLr1sDf4gJp6aE';
  const text = verificationTextOf(token);
  expect(isProvedBy([['v=spf1 -all'], [text]], token)).toBe(true);
  expect(isProvedBy([[text.slice(0, 9), text.slice(9)]], token)).toBe(true);
  expect(isProvedBy([['v=spf1 -all'], [`${text}x`], [token]], token)).toBe(false);
  expect(isProvedBy([], token)).toBe(false);
});
