/** A DNS server on this machine (RFC 1035) that answers from a table. */
import { createSocket } from 'node:dgram';
import { isIPv4 } from 'node:net';

/**
 * The addresses of each name, or its TXT records in their parts, or the error that the server answers. Other names do not
 * exist.
 */
export type Zone = Record<string, string[] | { texts: string[][] } | 'SERVFAIL' | 'SILENCE'>;

const types = { A: 1, TXT: 16, AAAA: 28 };
const codes = { fine: 0, SERVFAIL: 2, NXDOMAIN: 3 };

/** The name in lower case, its type, and the offset after the question. */
function question(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at]!; length > 0; length = message[at]!) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  return { name: labels.join('.').toLowerCase(), type: message.readUInt16BE(at + 1), end: at + 5 };
}

function addressRecord(address: string): Buffer {
  const bytes = isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((part) => part.padStart(4, '0'))
          .join(''),
        'hex',
      );
  return record(isIPv4(address) ? types.A : types.AAAA, bytes);
}

const textRecord = (parts: string[]): Buffer =>
  record(types.TXT, Buffer.concat(parts.flatMap((part) => [Buffer.from([part.length]), Buffer.from(part, 'latin1')])));

function record(type: number, bytes: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0); // the name of the question
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(bytes.length, 10);
  return Buffer.concat([head, bytes]);
}

/** IPv6 addresses in the table need all eight parts. */
export async function startNameServer(zone: Zone): Promise<{ address: string; stop(): Promise<void> }> {
  const socket = createSocket('udp4');
  socket.on('message', (message, from) => {
    const { name, type, end } = question(message);
    const entry = zone[name];
    if (entry === 'SILENCE') return;
    const records = Array.isArray(entry)
      ? entry.filter((address) => (isIPv4(address) ? types.A : types.AAAA) === type).map(addressRecord)
      : typeof entry === 'object' && type === types.TXT
        ? entry.texts.map(textRecord)
        : [];
    const head = Buffer.alloc(12);
    message.copy(head, 0, 0, 2);
    head.writeUInt16BE(
      0x8180 | (entry === undefined ? codes.NXDOMAIN : entry === 'SERVFAIL' ? codes.SERVFAIL : codes.fine),
      2,
    );
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(records.length, 6);
    socket.send(Buffer.concat([head, message.subarray(12, end), ...records]), from.port, from.address);
  });
  await new Promise<void>((ready) => socket.bind(0, '127.0.0.1', ready));
  return {
    address: `127.0.0.1:${socket.address().port}`,
    stop: () => new Promise((stopped) => socket.close(() => stopped())),
  };
}
