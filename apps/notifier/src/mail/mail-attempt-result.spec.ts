import { mailAttemptResultOf } from './mail-attempt-result.js';

test.each([
  // before the server has received the mail, every error is a failure of the server
  [{ code: 'ESOCKET', command: 'CONN' }, true, 'relay'],
  [{ code: 'ETIMEDOUT', command: 'CONN' }, true, 'relay'],
  [{ code: 'ECONNECTION' }, true, 'relay'],
  [{ code: 'EDNS', command: 'CONN' }, true, 'relay'],
  [{ code: 'ETLS', command: 'STARTTLS' }, true, 'relay'],
  [{ code: 'EABORT' }, true, 'relay'],
  [{ code: 'EPROTOCOL', command: 'CONN', responseCode: 554, response: '554 go away' }, true, 'relay'],
  [{ code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535, response: '535 wrong password' }, true, 'relay'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 452, response: '452 disk full' }, true, 'relay'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 421, response: '421 going down' }, true, 'relay'],
  [{ code: 'EENVELOPE', command: 'DATA', responseCode: 503, response: '503 bad sequence' }, true, 'relay'],
  // about the recipient
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450, response: '450 greylisted' }, true, 'target'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 451, response: '451 later' }, true, 'target'],
  [{ code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550, response: '550 5.1.1 no such user' }, false, 'none'],
  [{ code: 'EMESSAGE', command: 'DATA', responseCode: 554, response: '554 spam' }, false, 'none'],
  [{ code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 553, response: '553 not from you' }, false, 'none'],
  // found before anything was sent
  [{ code: 'EENVELOPE', command: 'API' }, false, 'none'],
  [{ code: 'EMESSAGE', command: 'MAIL FROM' }, false, 'none'],
  [{}, true, 'relay'],
])('%j: retry %s, counted as a failure of %s', (error, retry, blame) =>
  expect(mailAttemptResultOf(error)).toMatchObject({ reply: { kind: 'failed', retry }, blame }),
);

test.each([
  ['550 5.1.1 no such user', true],
  ['550-5.1.1 no such user\r\n550 5.1.1 at all', true],
  ['550 5.2.1 mailbox disabled', true],
  ['556 5.1.10 the domain takes no mail', true],
  // without a status code, or about this sender, this message or the mailbox of today
  ['550 No such user here', false],
  ['553 mailbox name not allowed', false],
  ['550 5.7.1 relaying denied', false],
  ['550 relay not permitted', false],
  ['550 rejected because of the reputation of 192.0.2.1', false],
  ['552 5.2.2 mailbox full', false],
  ['550 5.1.8 bad sender address', false],
  ['554 transaction failed', false],
])('after "%s" to RCPT TO mail to the address stops: %s', (response, stops) => {
  const { reply } = mailAttemptResultOf({
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: Number(response.slice(0, 3)),
    response,
  });
  expect('refusedAddress' in reply).toBe(stops);
});

test('a refusal before or after the address is not about the address, and a temporary one stops nothing', () => {
  for (const [command, responseCode] of [
    ['MAIL FROM', 550],
    ['DATA', 550],
    ['RCPT TO', 450],
  ] as const) {
    const response = `${responseCode} ${String(responseCode)[0]}.1.1 no such user`;
    const { reply } = mailAttemptResultOf({ code: 'EENVELOPE', command, responseCode, response });
    expect(reply).not.toHaveProperty('refusedAddress');
  }
});

test('the reason is one line of the reply of the server', () => {
  const { reply } = mailAttemptResultOf({
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: 550,
    response: `550-5.1.1 no such user\r\n550 ${'x'.repeat(400)}`,
  });
  expect(reply).toMatchObject({ reason: 'The mail server answered 550-5.1.1 no such user' });
});
