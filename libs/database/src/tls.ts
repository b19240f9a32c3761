/**
 * TLS to PostgreSQL, for pools, TypeORM and single clients. The certificate of the server is always verified, with its
 * name: parameters of the URL, or PGSSLMODE, that would accept any certificate are refused.
 */
import type { TlsFiles } from '@ams/contracts';
import { readFileSync } from 'node:fs';
import { createSecureContext, type SecureContext } from 'node:tls';
import pg from 'pg';

/** `ssl` of pg: it copies the properties for each connection. */
interface Ssl {
  rejectUnauthorized: true;
  readonly secureContext: SecureContext;
}

/**
 * The options of pg that concern TLS. Each connection has the certificates that are in the files at this time;
 * `unusable` is called when files that have changed cannot be used, and those from before are. Throws an error for the
 * operator, without the URL.
 */
export function postgresTls(
  url: string,
  files: TlsFiles | undefined,
  unusable: (error: unknown) => void = () => undefined,
): { ssl?: Ssl } {
  const options = files ? { ssl: sslOf(files, unusable) } : {};
  const { ssl } = new pg.Client({ connectionString: url, ...options }) as unknown as { ssl: unknown };
  if (files && ssl !== options.ssl)
    throw new Error('DATABASE_URL must have no parameters of TLS, because DATABASE_TLS_CA_FILE is set');
  if (!files && !isVerified(ssl))
    throw new Error(
      'DATABASE_URL and PGSSLMODE must not switch off the verification of the certificate of the server: set ' +
        'DATABASE_TLS_CA_FILE',
    );
  return options;
}

const isVerified = (ssl: unknown): boolean =>
  typeof ssl !== 'object' ||
  ssl === null ||
  !('checkServerIdentity' in ssl || ('rejectUnauthorized' in ssl && ssl.rejectUnauthorized !== true));

function sslOf(files: TlsFiles, unusable: (error: unknown) => void): Ssl {
  const contentOf = (file: string | undefined) => (file === undefined ? undefined : readFileSync(file, 'utf8'));
  const read = () => {
    const [ca, cert, key] = [files.caFile, files.certFile, files.keyFile].map(contentOf);
    return { text: JSON.stringify([ca, cert, key]), make: () => createSecureContext({ ca, cert, key }) };
  };
  const first = read();
  let used = { text: first.text, context: first.make() };
  return {
    rejectUnauthorized: true,
    // An error here would end the process: pg reads it in the handler of an event.
    get secureContext() {
      try {
        const { text, make } = read();
        if (text !== used.text) used = { text, context: make() };
      } catch (error) {
        unusable(error);
      }
      return used.context;
    },
  };
}
