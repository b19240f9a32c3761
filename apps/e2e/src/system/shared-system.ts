/**
 * One system for all test files that only add organizations to it, with two replicas of each service that they call.
 * The global set-up of Jest opens the address in AMS_SHARED_SYSTEM, and starts the system when the first file needs it.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSystem, type System } from '../system.js';
import { connectSystem, type SystemAddress, type SystemClient } from './system-client.js';

export async function sharedSystem(): Promise<SystemClient> {
  const answer = await fetch(process.env['AMS_SHARED_SYSTEM'] ?? '');
  if (!answer.ok) throw new Error(await answer.text());
  return connectSystem((await answer.json()) as SystemAddress);
}

/** For the global set-up. Returns a function that stops the system if it was started. */
export async function offerSharedSystem(): Promise<() => Promise<void>> {
  let system: Promise<System> | null = null;
  const server = createServer((_request, response) => {
    response.setHeader('connection', 'close'); // the request of the next file comes minutes later
    system ??= startSystem({
      replicas: { 'api-gateway': 2, 'ingest-gateway': 2, auth: 2, 'resource-api': 2, 'alert-pipeline': 2 },
    });
    system.then(
      ({ address }) => response.end(JSON.stringify(address)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  process.env['AMS_SHARED_SYSTEM'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return async () => {
    server.close();
    await (await system?.catch(() => null))?.stop();
  };
}
