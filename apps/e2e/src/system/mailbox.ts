/** A mail server that stores all mails that it receives. */
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { AddressInfo } from 'node:net';

export interface Mail {
  to: string;
  subject: string;
  text: string;
  /** The time of arrival in milliseconds. */
  at: number;
  /** With angle brackets, as in the header. */
  messageId: string;
  references: string;
}

export interface Mailbox {
  /** The settings of the notifier for this server. */
  settings: { SMTP_URL: string; MAIL_FROM: string };
  /** The mails to an address, or all, in the order of arrival. */
  mails(to?: string): Mail[];
  close(): Promise<void>;
}

/**
 * `onMail` is called for each mail before the sender gets the answer. `host` is the address on which the server listens.
 */
export async function openMailbox(
  onMail: (mail: Mail) => void = () => undefined,
  host = '127.0.0.1',
): Promise<Mailbox> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const at = Date.now();
        const keep = async (): Promise<void> => {
          const parsed = await PostalMime.parse(Buffer.concat(chunks));
          const { subject = '', text = '', messageId = '', references = '' } = parsed;
          for (const { address } of session.envelope.rcptTo) {
            const mail = { to: address, subject, text, at, messageId, references };
            mails.push(mail);
            onMail(mail);
          }
        };
        keep().then(() => done(null), done);
      });
    },
  });
  server.on('error', () => undefined); // a client was killed during a connection
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    settings: { SMTP_URL: `smtp://${host}:${port}`, MAIL_FROM: 'alerts@example.com' },
    mails: (to) => mails.filter((mail) => to === undefined || mail.to === to),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The path of a link in a mail. */
export function linkIn({ text }: Mail, label: 'Acknowledge' | 'Resolve' | 'Open'): string {
  const [, link] = new RegExp(`^${label}: (\\S+)$`, 'm').exec(text) ?? [];
  if (link === undefined) throw new Error(`no ${label} in: ${text}`);
  return new URL(link).pathname;
}
