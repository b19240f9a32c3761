/** A self-signed certificate (X.509, DER), built byte by byte: Node can read certificates but not create them. */
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
const sha256WithRsa = sequence(tlv(0x06, Buffer.from('2a864886f70d01010b', 'hex')), tlv(0x05));
const name = sequence(
  tlv(0x31, sequence(tlv(0x06, Buffer.from('550403', 'hex')), tlv(0x0c, Buffer.from('sns.amazonaws.com')))),
);
const time = (text: string) => tlv(0x17, Buffer.from(text));

export function selfSigned(): { pem: string; privateKey: KeyObject } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    sha256WithRsa,
    name,
    sequence(time('200101000000Z'), time('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('RSA-SHA256').update(body).sign(privateKey);
  const certificate = sequence(body, sha256WithRsa, tlv(0x03, Buffer.from([0]), signature));
  return {
    pem:
      `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/(.{64})/g, '$1\n')}\n` +
      '-----END CERTIFICATE-----\n',
    privateKey,
  };
}
