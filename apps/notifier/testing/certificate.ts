/** Self-signed certificates (X.509, DER), built byte by byte: Node can read certificates but not create them. */
import { createSign, generateKeyPairSync } from 'node:crypto';
import tls from 'node:tls';

function tlv(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? Buffer.from([content.length])
      : Buffer.from([0x82, content.length >> 8, content.length & 255]);
  return Buffer.concat([Buffer.from([tag]), length, content]);
}

const sequence = (...parts: Buffer[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));
const sha256WithRsa = sequence(oid('2a864886f70d01010b'), tlv(0x05));
const time = (text: string) => tlv(0x17, Buffer.from(text));

export function certificateFor(host: string): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const name = sequence(tlv(0x31, sequence(oid('550403'), tlv(0x0c, Buffer.from(host)))));
  const alternativeName = sequence(oid('551d11'), tlv(0x04, sequence(tlv(0x82, Buffer.from(host)))));
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1])),
    sha256WithRsa,
    name,
    sequence(time('200101000000Z'), time('490101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(alternativeName)),
  );
  const signature = createSign('RSA-SHA256').update(body).sign(privateKey);
  const der = sequence(body, sha256WithRsa, tlv(0x03, Buffer.from([0]), signature)).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${der.replace(/(.{64})/g, '$1\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
  };
}

/** Makes this process trust the certificate in addition to those of Node, until the returned function is called. */
export function trustCertificate(cert: string): () => void {
  const { createSecureContext } = tls;
  tls.createSecureContext = (options) => {
    const secureContext = createSecureContext(options);
    (secureContext.context as { addCACert(cert: string): void }).addCACert(cert);
    return secureContext;
  };
  return () => {
    tls.createSecureContext = createSecureContext;
  };
}
