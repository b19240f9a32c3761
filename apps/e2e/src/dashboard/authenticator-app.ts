/** An authenticator app (RFC 6238): the code of a secret, now or some steps later. */
import { createHmac } from 'node:crypto';

const stepSeconds = 30;
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

export function codeOf(secret: string, { stepsLater = 0 } = {}): string {
  const bits = [...secret].map((letter) => letters.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2)));
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 1000 / stepSeconds) + stepsLater));
  const hash = createHmac('sha1', key).update(counter).digest();
  const offset = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 1_000_000).padStart(6, '0');
}
