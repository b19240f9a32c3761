import { createServer } from 'node:net';
import { EmbeddedError } from './embedded-error.js';

const given = new Set<number>();

/**
 * A free port of 127.0.0.1 that this process has not returned before. Another process may take it before it is used, so
 * callers must retry.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await listenOnce(0);
    if (given.has(port)) continue;
    given.add(port);
    if (given.size > 1000) given.clear();
    return port;
  }
}

/** Throws PORT_TAKEN when nobody can listen on this port of 127.0.0.1 now. */
export async function requireFreePort(port: number, forWhat: string): Promise<void> {
  try {
    await listenOnce(port);
  } catch (error) {
    throw new EmbeddedError(
      'PORT_TAKEN',
      `${forWhat}: cannot listen on 127.0.0.1:${port} (${(error as Error).message}); stop the program that ` +
        'uses it or choose another port',
      { cause: error },
    );
  }
}

function listenOnce(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => {
      const address = server.address();
      const taken = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(taken));
    });
  });
}
