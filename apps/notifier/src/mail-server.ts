/** The mail server that the operator named: a pool of connections, time-outs for everything, one attempt for one request. */
import { createTransport, type Transporter } from 'nodemailer';
import { cut, oneLine } from './clean-text.js';
import { outcomeOfMailError, type MailError } from './mail-answers.js';
import type { EmailMessage } from './messages/email.js';
import { sent, type Outcome } from './outcome.js';

export interface MailServerOptions {
  /** smtp://user:password@host:587 or smtps://… */
  url: string;
  from: string;
  connections: number;
  timeoutMs: number;
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** A password is sent over TLS only, but to this machine itself. */
function withTls(text: string): string {
  const url = new URL(text);
  const isBare = url.protocol === 'smtp:' && url.password !== '' && !loopback.has(url.hostname);
  if (isBare && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

export class MailServer {
  private readonly transport: Transporter;

  constructor(private readonly options: MailServerOptions) {
    const { url, connections, timeoutMs } = options;
    this.transport = createTransport({
      url: withTls(url),
      pool: true,
      maxConnections: connections,
      // Once more only over a connection that had gone while it was idle, before a byte of the mail was sent.
      maxRequeues: 1,
      idleTimeout: 30_000,
      dnsTimeout: timeoutMs,
      connectionTimeout: timeoutMs,
      greetingTimeout: timeoutMs,
      socketTimeout: timeoutMs,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  }

  async send(message: EmailMessage): Promise<Outcome> {
    try {
      const { response = '250' } = await this.transport.sendMail({
        ...message,
        from: this.options.from,
        signal: AbortSignal.timeout(this.options.timeoutMs),
      });
      return sent(String(Number.parseInt(response, 10)), cut(oneLine(response), 150));
    } catch (error) {
      return outcomeOfMailError(error as MailError);
    }
  }

  close(): void {
    this.transport.close();
  }
}
