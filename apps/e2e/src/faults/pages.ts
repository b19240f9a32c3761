/**
 * The people who are paged: a mail server and a web server that record every page with its alert.
 *
 * A page has an id (Message-ID, webhook-id), which is that of the notification. A page that arrives again with the same
 * id is a repetition, which its receiver recognizes. Two ids for one alert and kind are two pages.
 */
import { openMailbox } from '../system/mailbox.js';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `created`: a mail. The others are webhooks; `second` is sent some seconds after `first`. */
export type PageKind = 'created' | 'first' | 'second' | 'resolved';

export interface Page {
  id: string;
  /** Empty when the database has lost the alert before the page was sent. */
  alertId: string;
  kind: PageKind;
}

export interface PageReceiver {
  /** Settings of the notifier. */
  settings: Record<string, string>;
  /** The address to which a workflow sends this kind of page. */
  urlOf(kind: PageKind): string;
  addressOf(organization: number): string;
  pages: readonly Page[];
  close(): Promise<void>;
}

/** `host`: the address on which both servers listen. */
export async function openPageReceiver(host: string): Promise<PageReceiver> {
  const pages: Page[] = [];
  const mailbox = await openMailbox(({ messageId, references }) => {
    pages.push({ id: bare(messageId), alertId: bare(references), kind: 'created' });
  }, host);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined); // the notifier was killed
    response.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { data } = JSON.parse(Buffer.concat(chunks).toString()) as { data: { alert: { id: string } | null } };
      const kind = String(request.url).slice(1) as PageKind;
      pages.push({ id: String(request.headers['webhook-id']), alertId: data.alert?.id ?? '', kind });
      response.writeHead(204).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    settings: { ...mailbox.settings, OUTBOUND_ALLOW: host },
    addressOf: (organization) => `on-call@team-${organization}.example.com`,
    urlOf: (kind) => `http://${host}:${port}/${kind}`,
    pages,
    async close() {
      await mailbox.close();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      });
    },
  };
}

/** `<alr_1@example.com>`: what is before the host. */
const bare = (id: string): string => /^<(.*)@[^@]*>$/.exec(id)?.[1] ?? id;
