/** A mail server of the test, and the mails that it received. */
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface Mail {
  from: string;
  to: string[];
  /** The mail as it was received. */
  raw: string;
  /** Names in lower case; lines joined, words decoded (RFC 2047). */
  headers: Map<string, string>;
  /** The parts of the body, decoded. */
  text: string;
  html: string;
}

export interface Mailbox {
  port: number;
  mails: Mail[];
  connections: number;
  stop(): Promise<void>;
}

type Options = ConstructorParameters<typeof SMTPServer>[0];

/** Without TLS and without a password, unless the options change it. */
export async function startMailbox(options: Options = {}, port = 0): Promise<Mailbox> {
  const mailbox: Mailbox = {
    port,
    mails: [],
    connections: 0,
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    closeTimeout: 50,
    onConnect: (_session, callback) => {
      mailbox.connections++;
      callback();
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        mailbox.mails.push(
          read(
            mailFrom === false ? '' : mailFrom.address,
            rcptTo.map(({ address }) => address),
            Buffer.concat(chunks).toString(),
          ),
        );
        callback(null);
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
  mailbox.port = (server.server.address() as AddressInfo).port;
  return mailbox;
}

const decoded = (text: string, encoding: string): string =>
  encoding === 'base64'
    ? Buffer.from(text, 'base64').toString()
    : encoding === 'quoted-printable'
      ? unquoted(text.replace(/=\r\n/g, ''))
      : text;

const unquoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  ).toString();

const words = (text: string): string =>
  text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_all, how: string, word: string) =>
      how.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString() : unquoted(word.replaceAll('_', ' ')),
    );

function headersOf(head: string): Map<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  return new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      words(line.slice(line.indexOf(':') + 1).trim()),
    ]),
  );
}

function read(from: string, to: string[], raw: string): Mail {
  const end = raw.indexOf('\r\n\r\n');
  const headers = headersOf(raw.slice(0, end));
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = new Map(
    raw
      .slice(end)
      .split(`--${boundary}`)
      .slice(1, -1)
      .map((part) => {
        const middle = part.indexOf('\r\n\r\n');
        const own = headersOf(part.slice(2, middle));
        return [
          (own.get('content-type') ?? '').split(';')[0],
          decoded(part.slice(middle + 4, -2), own.get('content-transfer-encoding') ?? '').replaceAll('\r\n', '\n'),
        ] as const;
      }),
  );
  return { from, to, raw, headers, text: parts.get('text/plain') ?? '', html: parts.get('text/html') ?? '' };
}
