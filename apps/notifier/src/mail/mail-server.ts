/** The operator's mail server: a pool of connections, a time limit for everything, one attempt for each mail. */
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createTransport, type Transporter } from 'nodemailer';
import { sent, type AttemptResult } from '../attempts/attempt-result.js';
import { cut, oneLine } from '../messages/clean-text.js';
import { NotifierSettings } from '../settings.js';
import type { EmailMessage } from './email-message.js';
import { mailAttemptResultOf, type MailError } from './mail-attempt-result.js';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Requires TLS where a password is sent, except to this machine. */
function withTls(text: string): string {
  const url = new URL(text);
  const isBare = url.protocol === 'smtp:' && url.password !== '' && !loopback.has(url.hostname);
  if (isBare && !url.searchParams.has('requireTLS')) url.searchParams.set('requireTLS', 'true');
  return url.href;
}

@Injectable()
export class MailServer implements OnApplicationShutdown {
  /** The sender of mails; `null` when this installation has no mail server. */
  readonly from: string | null;
  private readonly transport: Transporter | null;
  private readonly timeoutMs: number;

  constructor({ smtpUrl, mailFrom, mailConnections, mailTimeoutSeconds }: NotifierSettings) {
    this.timeoutMs = mailTimeoutSeconds * 1000;
    const isConfigured = smtpUrl !== undefined && mailFrom !== undefined;
    this.from = isConfigured ? mailFrom : null;
    this.transport = isConfigured ? connectionPool(smtpUrl, mailConnections, this.timeoutMs) : null;
  }

  async send(message: EmailMessage): Promise<AttemptResult> {
    if (this.transport === null || this.from === null) throw new Error('no mail server is configured');
    try {
      const { response = '250' } = await this.transport.sendMail({
        ...message,
        from: this.from,
        signal: AbortSignal.timeout(this.timeoutMs),
      });
      return sent(String(Number.parseInt(response, 10)), cut(oneLine(response), 150));
    } catch (error) {
      return mailAttemptResultOf(error as MailError);
    }
  }

  onApplicationShutdown(): void {
    this.transport?.close();
  }
}

const connectionPool = (url: string, connections: number, timeoutMs: number): Transporter =>
  createTransport({
    url: withTls(url),
    pool: true,
    maxConnections: connections,
    // One repetition, for a connection that was closed while idle, before any byte of the mail was sent.
    maxRequeues: 1,
    idleTimeout: 30_000,
    dnsTimeout: timeoutMs,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
