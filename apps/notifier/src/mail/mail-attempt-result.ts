/**
 * What an error of the SMTP client means (RFC 5321, 4.2.1: 5yz is permanent, 4yz temporary), and whether it is about
 * the address: then no further mail should go to it.
 */
import { permanentFailure, temporaryFailure, type AttemptResult } from '../attempts/attempt-result.js';
import { cut, oneLine } from '../messages/clean-text.js';

/** The used part of an error of nodemailer. `command` is the last one that was sent, such as `RCPT TO`. */
export interface MailError {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

const quote = (response: string | undefined): string => cut(oneLine((response ?? '').split(/[\r\n]/)[0] ?? ''), 150);

/** Replies to these commands are about the recipient's domain; replies to earlier ones are about the mail server. */
const recipientCommands = new Set(['RCPT TO', 'DATA']);

/** "Service not available" and "bad sequence of commands" are about the mail server, whatever the command. */
const serverStatuses = new Set([421, 503]);

/**
 * Enhanced status codes (RFC 3463, 3.2 and 3.3) that say that the address is not valid, or that its mailbox is closed.
 * Those of the class 5.7 are about rules, for example of a relay that does not know this sender.
 */
const addressStatuses = /^5\.(?:1\.(?:[1-36]|10)|2\.1)$/;
const enhancedStatus = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})(?:\s|$)/;

/**
 * Only a status code says it. Servers answer 550 without one also when they do not accept this sender, and a wrong
 * setting of the mail server must not look like hundreds of wrong addresses.
 */
function isAboutAddress(command: string, response: string): boolean {
  const [, enhanced = ''] = enhancedStatus.exec(response) ?? [];
  return command === 'RCPT TO' && addressStatuses.test(enhanced);
}

export function mailAttemptResultOf({
  code = 'ERROR',
  command = '',
  responseCode,
  response,
}: MailError): AttemptResult {
  if (responseCode === undefined) {
    // The client refused the address or the message itself.
    if (code === 'EENVELOPE' || code === 'EMESSAGE')
      return permanentFailure(
        code,
        'The mail cannot be sent as it is: its recipient or its size is not allowed.',
        'none',
      );
    const problem =
      code === 'EABORT' || code === 'ETIMEDOUT' ? 'did not answer in time' : `could not be reached (${code})`;
    return temporaryFailure(code, `The mail server ${problem}.`, 'relay');
  }
  const reason = `The mail server answered ${quote(response) || responseCode}`;
  const status = String(responseCode);
  const isRefusal = code === 'EENVELOPE' || code === 'EMESSAGE';
  // During the greeting, TLS or authentication even 5yz is about the server, which has not received the mail yet.
  if (!isRefusal || serverStatuses.has(responseCode)) return temporaryFailure(status, reason, 'relay');
  if (responseCode >= 500) {
    const failure = permanentFailure(status, reason, 'none');
    return isAboutAddress(command, response ?? '')
      ? { ...failure, reply: { kind: 'failed', reason, retry: false, retryAfterSeconds: null, refusedAddress: true } }
      : failure;
  }
  return temporaryFailure(status, reason, recipientCommands.has(command) ? 'target' : 'relay');
}
