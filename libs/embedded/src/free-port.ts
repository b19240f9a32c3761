import { createSocket, type Socket } from 'node:dgram';
import { createServer } from 'node:net';
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { EmbeddedError } from './embedded-error.js';

/** Below the ports that Linux (from 32768) and macOS (from 49152) give to outgoing connections. */
const ports = { from: 15_000, to: 32_768 };
const keptForMs = 120_000;
/** The last processes of a server that was killed may hold its port for some time. */
const awaitedMs = 2000;

/**
 * A free TCP port of 127.0.0.1 that nobody takes in the next two minutes: the system gives it to no outgoing
 * connection, and the UDP port of the same number is held meanwhile, so no other process gets it from this function.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(ports.from, ports.to);
    const mark = await bindUdp(port);
    if (!mark) continue;
    if (await canListen(port)) {
      setTimeout(() => mark.close(), keptForMs).unref();
      return port;
    }
    mark.close();
  }
}

/** Waits until this port of 127.0.0.1 is free. Throws PORT_TAKEN when nobody could listen on it for two seconds. */
export async function requireFreePort(port: number, forWhat: string): Promise<void> {
  for (const begun = performance.now(); ; await sleep(50)) {
    try {
      return await listenOnce(port);
    } catch (error) {
      if (performance.now() - begun < awaitedMs) continue;
      throw new EmbeddedError(
        'PORT_TAKEN',
        `${forWhat}: cannot listen on 127.0.0.1:${port} (${(error as Error).message}); stop the program that ` +
          'uses it or choose another port',
        { cause: error },
      );
    }
  }
}

/** Null when the port is taken. The socket does not keep the process alive. */
function bindUdp(port: number): Promise<Socket | null> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === 'EADDRINUSE' || error.code === 'EACCES') resolve(null);
      else reject(error);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(socket));
  });
}

const canListen = (port: number): Promise<boolean> =>
  listenOnce(port).then(
    () => true,
    () => false,
  );

function listenOnce(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve()));
  });
}
