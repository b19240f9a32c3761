/**
 * One system for all test files that only add organizations to it, with two replicas of each service that they call.
 * The global set-up of Jest opens the address in AMS_SHARED_SYSTEM, and starts the system when the first file needs it.
 * It sends mails to a mail server here. Its OpenID provider runs while a test file starts one at `openIdPort`.
 */
import { freePort } from '@ams/embedded';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSystem, type System } from '../system.js';
import { openMailbox, type Mail, type Mailbox } from './mailbox.js';
import { connectSystem, type SystemAddress, type SystemClient } from './system-client.js';

export interface SharedSystem extends SystemClient {
  openIdPort: number;
  /** The mails to this address, in the order of arrival. */
  mails(to: string): Promise<Mail[]>;
  /** The metrics of each replica. */
  metrics(): Promise<{ name: string; text: string }[]>;
  /** Stops the first API gateway and starts it again. Calls `between` while it does not run. */
  restartGateway(between: () => Promise<void>): Promise<void>;
}

/** What the OpenID provider is configured with, in the service and in `TestProvider`. */
export const openIdOrganization = 'organization-of-the-provider';
const openIdClient = { OPENID_CLIENT_ID: 'alerts', OPENID_CLIENT_SECRET: 'a secret of the client' };

interface Started {
  system: System;
  mailbox: Mailbox;
  openIdPort: number;
}

async function start(): Promise<Started> {
  const mailbox = await openMailbox();
  const openIdPort = await freePort();
  const system = await startSystem({
    replicas: { 'api-gateway': 2, 'ingest-gateway': 2, auth: 2, 'resource-api': 2, 'alert-pipeline': 2 },
    env: {
      // The push services of tests are here.
      notifier: { ...mailbox.settings, OUTBOUND_ALLOW: '127.0.0.1' },
      auth: {
        ...openIdClient,
        OPENID_ISSUER: `http://127.0.0.1:${openIdPort}`,
        OPENID_ORGANIZATION: openIdOrganization,
        OPENID_NAME: 'Example login',
        OPENID_CREATE_MEMBERS: 'true',
        OPENID_TIMEOUT_SECONDS: '60',
      },
    },
  });
  return { system, mailbox, openIdPort };
}

/** The calls over HTTP, by path. */
const calls = {
  '/address': ({ system, openIdPort }: Started) => ({ address: system.address, openIdPort }),
  '/mails': ({ mailbox }: Started, query: URLSearchParams) => mailbox.mails(query.get('to') ?? ''),
  '/metrics': ({ system }: Started) =>
    Promise.all(
      system.allReplicas.map(async ({ name, managementUrl }) => ({
        name,
        text: await (await fetch(`${managementUrl}/metrics`)).text(),
      })),
    ),
  '/stop-gateway': ({ system }: Started) => system.replicas('api-gateway')[0]?.stop(),
  '/start-gateway': ({ system }: Started) => system.replicas('api-gateway')[0]?.restart(),
};
type Path = keyof typeof calls;

async function ask<T>(path: Path, query: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(
    `${process.env['AMS_SHARED_SYSTEM'] ?? ''}${path}?${new URLSearchParams(query).toString()}`,
  );
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as T;
}

export async function sharedSystem(): Promise<SharedSystem> {
  const { address, openIdPort } = await ask<{ address: SystemAddress; openIdPort: number }>('/address');
  return {
    ...connectSystem(address),
    openIdPort,
    mails: (to) => ask('/mails', { to }),
    metrics: () => ask('/metrics'),
    async restartGateway(between) {
      await ask('/stop-gateway');
      try {
        await between();
      } finally {
        await ask('/start-gateway');
      }
    },
  };
}

/** For the global set-up. Returns a function that stops the system if it was started. */
export async function offerSharedSystem(): Promise<() => Promise<void>> {
  let started: Promise<Started> | null = null;
  const answerTo = async (url: URL): Promise<unknown> => {
    started ??= start();
    return (await calls[url.pathname as Path](await started, url.searchParams)) ?? null;
  };
  const server = createServer((request, response) => {
    response.setHeader('connection', 'close'); // the request of the next file comes minutes later
    answerTo(new URL(request.url ?? '', 'http://127.0.0.1')).then(
      (answer) => response.end(JSON.stringify(answer)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['AMS_SHARED_SYSTEM'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    const running = await started?.catch(() => null);
    await running?.system.stop();
    await running?.mailbox.close();
  };
}
