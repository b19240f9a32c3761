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

test('the reason is one line of the reply of the server', () => {
  const { reply } = mailAttemptResultOf({
    code: 'EENVELOPE',
    command: 'RCPT TO',
    responseCode: 550,
    response: `550-5.1.1 no such user\r\n550 ${'x'.repeat(400)}`,
  });
  expect(reply).toMatchObject({ reason: 'The mail server answered 550-5.1.1 no such user' });
});
