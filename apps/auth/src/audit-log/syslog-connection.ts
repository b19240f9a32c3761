/**
 * Sends frames to a collector of syslog over TCP or TLS. Syslog has no acknowledgements. But a collector that reads to
 * the end and then closes the connection without an error has read everything; one that ends with unread bytes resets
 * the connection. So each batch has a connection of its own, and is confirmed when the collector closes it after we did
 * (RFC 5425, 4.4).
 */
import { readFileSync } from 'node:fs';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as pause } from 'node:timers/promises';

/** Files in PEM, read at each connection. */
export interface CollectorTls {
  /** Undefined: the authorities that Node knows. */
  caFile: string | undefined;
  certFile: string | undefined;
  keyFile: string | undefined;
}

export interface Collector {
  url: URL;
  tls: CollectorTls;
}

export interface SendLimits {
  /** Of the whole batch. */
  timeoutMs: number;
  /**
   * Between the last byte and our end of the connection. A collector that has closed before it got the bytes is noticed
   * meanwhile: its end or reset is on the way already.
   */
  graceMs: number;
}

/** Resolves when the collector has read all frames. Otherwise it rejects, and the frames may have arrived or not. */
export async function sendConfirmed(
  collector: Collector,
  frames: readonly string[],
  { timeoutMs, graceMs }: SendLimits,
  stopped: AbortSignal,
): Promise<void> {
  const socket = open(collector);
  let isEnding = false;
  let abort = (): void => undefined;
  let timer: NodeJS.Timeout | undefined;
  // Not AbortSignal.any with AbortSignal.timeout: Node 20 may collect the second one as garbage. Then it never ends.
  const closed = new Promise<void>((resolve, reject) => {
    abort = () => reject(new Error('the service stops'));
    if (stopped.aborted) abort();
    stopped.addEventListener('abort', abort, { once: true });
    timer = setTimeout(
      () => reject(new Error(`the collector did not read everything and close in ${timeoutMs / 1000} s`)),
      timeoutMs,
    );
    socket.once('error', reject);
    socket.once('end', () => isEnding || reject(new Error('the collector has closed the connection')));
    socket.once('close', () => (isEnding ? resolve() : reject(new Error('the connection was closed'))));
  });
  // It may fail before somebody waits for it.
  closed.catch(() => undefined);
  try {
    await Promise.race([writeAll(socket, frames), closed]);
    await Promise.race([pause(graceMs), closed]);
    isEnding = true;
    socket.end();
    await closed;
  } finally {
    stopped.removeEventListener('abort', abort);
    clearTimeout(timer);
    socket.destroy();
  }
}

function open({ url, tls }: Collector): Socket {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port);
  const socket =
    url.protocol === 'tls:'
      ? connectTls({
          host,
          port,
          ...(isIP(host) === 0 && { servername: host }),
          ...(tls.caFile && { ca: readFileSync(tls.caFile) }),
          ...(tls.certFile && tls.keyFile && { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) }),
        })
      : connectTcp({ host, port });
  // What a collector may say is not read, but its end is noticed only when it is read.
  return socket.resume();
}

/** Resolves when the system has taken all bytes. A collector that reads slowly is waited for. */
async function writeAll(socket: Socket, frames: readonly string[]): Promise<void> {
  for (const frame of frames)
    await new Promise<void>((resolve, reject) => {
      socket.write(frame, 'latin1', (error) => (error ? reject(error) : resolve()));
    });
}
