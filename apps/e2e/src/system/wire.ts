/** HTTP as bytes on a socket, for requests that a correct client does not send. */
import { createConnection } from 'node:net';

export interface WireAnswer {
  /** `null` when the connection was closed without an answer. */
  status: number | null;
  contentType: string;
  body: string;
  ms: number;
}

const answerTimeoutMs = 5000;
const giveUpMs = 200;

/**
 * Sends the bytes and reads one answer. Throws when there is none within five seconds. A request that announces more
 * bytes than it sends (`givesUp`) closes its side after a moment: otherwise the server correctly waits for the rest.
 */
export function exchange(port: number, bytes: Buffer, givesUp: boolean): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const socket = createConnection({ host: '127.0.0.1', port });
    const chunks: Buffer[] = [];
    const timer = setTimeout(() => {
      socket.destroy();
      reject(new Error(`no answer within ${answerTimeoutMs} ms`));
    }, answerTimeoutMs);
    const giveUpTimer = givesUp ? setTimeout(() => socket.end(), giveUpMs) : undefined;
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => undefined); // the connection was reset: the bytes before it count
    socket.on('close', () => {
      clearTimeout(timer);
      clearTimeout(giveUpTimer);
      resolve({ ...parse(Buffer.concat(chunks)), ms: performance.now() - started });
    });
  });
}

function parse(bytes: Buffer): Omit<WireAnswer, 'ms'> {
  const text = bytes.toString('latin1').replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '');
  const end = text.indexOf('\r\n\r\n');
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  if (status === undefined || end < 0) return { status: null, contentType: '', body: '' };
  const head = text.slice(0, end);
  const rest = text.slice(end + 4);
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  const body = length === undefined ? rest : rest.slice(0, Number(length));
  return {
    status: Number(status),
    contentType: /\r\ncontent-type: *([^\r]*)/i.exec(head)?.[1] ?? '',
    body: Buffer.from(body, 'latin1').toString(),
  };
}

/** A request as bytes; header values may hold anything. `connection: close` unless the headers say otherwise. */
export function requestBytes(
  method: string,
  target: string,
  headers: readonly (readonly [string, string])[],
  body: Buffer,
): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const lines = [`${method} ${target} HTTP/1.1`];
  const add = (name: string, value: string) => names.has(name) || lines.push(`${name}: ${value}`);
  add('host', 'localhost');
  add('connection', 'close');
  if (body.length > 0) add('content-length', String(body.length));
  for (const [name, value] of headers) lines.push(`${name}: ${value}`);
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
}
