/** Checks of settings that name files with certificates and keys. */
import { ValidateBy, type ValidationArguments } from 'class-validator';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/** Throws when there is none, or one of them cannot be read. */
function certificatesIn(path: unknown): X509Certificate[] {
  const found = readFileSync(path as string, 'utf8').match(certificate) ?? [];
  if (found.length === 0) throw new Error('no certificate');
  return found.map((text) => new X509Certificate(text));
}

function isPossible(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

export const IsCertificateFile = (): PropertyDecorator =>
  ValidateBy({
    name: 'isCertificateFile',
    validator: {
      validate: (path: unknown) => isPossible(() => certificatesIn(path).length > 0),
      defaultMessage: () => 'must be a file that this process can read, with certificates in PEM',
    },
  });

/** `certFile`: the property with the file of the certificate; its first one is that of the key. */
export const IsKeyFileOf = (certFile: string): PropertyDecorator =>
  ValidateBy({
    name: 'isKeyFile',
    validator: {
      validate: (path: unknown, about?: ValidationArguments) =>
        isPossible(() => {
          const [first] = certificatesIn((about?.object as Record<string, unknown>)[certFile]);
          return first!.checkPrivateKey(createPrivateKey(readFileSync(path as string)));
        }),
      defaultMessage: () =>
        'must be a file that this process can read, with the private key of the certificate, in PEM and without a ' +
        'passphrase',
    },
  });
