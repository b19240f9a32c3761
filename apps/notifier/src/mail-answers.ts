/** What became of a mail, by the error that the SMTP client gave (RFC 5321, 4.2.1: 5yz is for good, 4yz for now). */
import { cut, oneLine } from './clean-text.js';
import { failedForGood, failedForNow, type Outcome } from './outcome.js';

/** Of the client's errors (nodemailer), what is used here. `command` is the last one that was sent, such as `RCPT TO`. */
export interface MailError {
  code?: string;
  command?: string;
  responseCode?: number;
  response?: string;
}

const quote = (response: string | undefined): string => cut(oneLine((response ?? '').split(/[\r\n]/)[0] ?? ''), 150);

/** The mail server speaks for the recipient's domain from the recipient on; before that it speaks for itself. */
const aboutRecipient = new Set(['RCPT TO', 'DATA']);

/** «The service is going away»: whatever it is an answer to, and so is a session that is out of step. */
const aboutServer = new Set([421, 503]);

/** Pure. */
export function outcomeOfMailError({ code = 'ERROR', command = '', responseCode, response }: MailError): Outcome {
  if (responseCode === undefined) {
    // The address or the message itself, found before a word was said about it.
    if (code === 'EENVELOPE' || code === 'EMESSAGE')
      return failedForGood(
        code,
        'The mail cannot be sent as it is: its recipient or its size is not allowed.',
        'nobody',
      );
    const trouble =
      code === 'EABORT' || code === 'ETIMEDOUT' ? 'did not answer in time' : `could not be reached (${code})`;
    return failedForNow(code, `The mail server ${trouble}.`, 'relay');
  }
  const reason = `The mail server answered ${quote(response) || responseCode}`;
  const status = String(responseCode);
  const isRefusal = code === 'EENVELOPE' || code === 'EMESSAGE';
  // At the greeting, TLS or the password, also 5yz is the server's trouble: it has not seen the mail yet.
  if (!isRefusal || aboutServer.has(responseCode)) return failedForNow(status, reason, 'relay');
  if (responseCode >= 500) return failedForGood(status, reason, 'nobody');
  return failedForNow(status, reason, aboutRecipient.has(command) ? 'target' : 'relay');
}
