/** Certificates for tests of TLS. */
import { randomBytes, webcrypto } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface CertificateFiles {
  certFile: string;
  keyFile: string;
}

export interface TestAuthority {
  caFile: string;
  /**
   * A certificate with this common name, for `hosts` (names and addresses), in `<name>.pem` and `<name>-key.pem` of the
   * folder. With `days` below 0 it has expired.
   */
  issue(name: string, options?: { hosts?: string[]; days?: number }): Promise<CertificateFiles>;
}

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

const newKeys = () => webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
const commonName = (name: string) => `CN=${name}`;
const serialNumber = () => `01${randomBytes(8).toString('hex')}`;

export async function makeAuthority(dir: string, name: string): Promise<TestAuthority> {
  // Few tests need it, and it takes a while to load.
  const x509 = await import('@peculiar/x509');
  const keys = await newKeys();
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: commonName(name),
    notBefore: new Date(Date.now() - dayMs),
    notAfter: new Date(Date.now() + dayMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [new x509.BasicConstraintsExtension(true, 0, true)],
  });
  const caFile = join(dir, `${name}.pem`);
  writeFileSync(caFile, authority.toString('pem'));
  return {
    caFile,
    async issue(subject, { hosts = ['localhost', '127.0.0.1'], days = 1 } = {}) {
      const own = await newKeys();
      const certificate = await x509.X509CertificateGenerator.create({
        serialNumber: serialNumber(),
        subject: commonName(subject),
        issuer: authority.subject,
        notBefore: new Date(Date.now() - 3 * dayMs),
        notAfter: new Date(Date.now() + days * dayMs),
        signingAlgorithm: algorithm,
        publicKey: own.publicKey,
        signingKey: keys.privateKey,
        extensions: [
          await x509.AuthorityKeyIdentifierExtension.create(authority.publicKey),
          new x509.SubjectAlternativeNameExtension(
            hosts.map((value) => ({ type: /^[\d.]+$/.test(value) ? ('ip' as const) : ('dns' as const), value })),
          ),
        ],
      });
      const files = { certFile: join(dir, `${subject}.pem`), keyFile: join(dir, `${subject}-key.pem`) };
      const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey)).toString('base64');
      writeFileSync(files.certFile, certificate.toString('pem'));
      writeFileSync(files.keyFile, `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n`, { mode: 0o600 });
      return files;
    },
  };
}
