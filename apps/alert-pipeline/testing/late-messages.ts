/**
 * A proxy in front of NATS that holds messages of some subjects back, while everything else passes. In a cluster, a
 * message and the answer of the API may come over different routes, so their order is not given.
 */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface LateMessages {
  url: string;
  /** From now on, messages whose subject begins with this text are held back. */
  hold(subject: string): void;
  /** How many messages are held back. */
  readonly held: number;
  /** Sends the held messages. Later ones pass. */
  release(): void;
  stop(): Promise<void>;
}

/** The next frame, if complete: https://docs.nats.io/reference/reference-protocols/nats-protocol */
function frameOf(bytes: Buffer): { subject: string | null; length: number } | null {
  const lineEnd = bytes.indexOf('\r\n');
  if (lineEnd === -1) return null;
  const parts = bytes.toString('latin1', 0, lineEnd).split(' ');
  if (parts[0] !== 'MSG' && parts[0] !== 'HMSG') return { subject: null, length: lineEnd + 2 };
  const length = lineEnd + 2 + Number(parts.at(-1)) + 2;
  return bytes.length < length ? null : { subject: parts[1] ?? '', length };
}

export async function startLateMessages(natsUrl: string): Promise<LateMessages> {
  const { hostname, port } = new URL(natsUrl);
  const sockets = new Set<Socket>();
  let prefix: string | null = null;
  let late: (() => void)[] = [];

  const listener = createServer((client) => {
    const server = connect(Number(port), hostname);
    let rest = Buffer.alloc(0);
    server.on('data', (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      for (let frame = frameOf(rest); frame !== null; frame = frameOf(rest)) {
        const bytes = rest.subarray(0, frame.length);
        rest = rest.subarray(frame.length);
        if (prefix !== null && frame.subject?.startsWith(prefix)) late.push(() => client.write(bytes));
        else client.write(bytes);
      }
    });
    client.on('data', (data: Buffer) => server.write(data));
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
    }
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  return {
    url: `nats://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    hold: (subject) => (prefix = subject),
    get held() {
      return late.length;
    },
    release() {
      prefix = null;
      for (const send of late) send();
      late = [];
    },
    async stop() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}
