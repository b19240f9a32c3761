/** TLS to NATS, and what is wrong when a TLS connection to NATS or PostgreSQL cannot be made. */
import type { TlsFiles } from '@ams/contracts';
import type { TlsOptions } from '@nats-io/transport-node';
import { isIP } from 'node:net';
import { checkServerIdentity, type PeerCertificate } from 'node:tls';

const faultCodes =
  /^(?:ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|CRL_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_(?:GET|VERIFY|DECRYPT|DECODE)_|INVALID_(?:CA|PURPOSE)|PATH_LENGTH_|HOSTNAME_MISMATCH)/;
const faultMessages = /server does not support '?(?:tls|SSL)|connection requires a valid client certificate/;

/** What is wrong with TLS, as a sentence without secrets; null for other errors. */
export function tlsFaultOf(error: unknown): string | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    const { code = '', reason = cause.message } = cause as { code?: string; reason?: string };
    if (faultCodes.test(code) || faultMessages.test(cause.message)) return reason;
  }
  return null;
}

/** A TLS connection cannot be made with these settings. It is for the operator: to try again does not help. */
export class TlsError extends Error {
  override readonly name = 'TlsError';

  /** `server`: NATS or PostgreSQL. `prefix`: of the settings. */
  constructor(server: string, prefix: string, fault: string, cause: unknown) {
    super(
      `no TLS connection to ${server}: ${fault}. Check ${prefix}_TLS_CA_FILE, ${prefix}_TLS_CERT_FILE, ` +
        `${prefix}_TLS_KEY_FILE and the certificate of the server`,
      { cause },
    );
  }
}

/** NATS reads the files at each connection. Undefined: TLS is used when the server offers it. */
export function natsTlsOptions(servers: string[], files: TlsFiles | undefined): TlsOptions | undefined {
  if (!files && !servers.some((server) => server.startsWith('tls://'))) return undefined;
  const { certFile, keyFile } = files ?? {};
  // What the client does not know of these options, it passes on to Node.
  const options = {
    ...(files && { caFile: files.caFile }),
    ...(certFile && keyFile && { certFile, keyFile }),
    checkServerIdentity: identityCheck(servers),
  };
  return options;
}

/**
 * For a server that is known by its address alone, such as one of the cluster, the client gives no name, and Node would
 * take `localhost`. Then the certificate must be for one of the hosts of NATS_URL.
 */
function identityCheck(servers: string[]): (name: string, certificate: PeerCertificate) => Error | undefined {
  const hosts = servers.map(hostOf);
  return (name, certificate) => {
    if (name !== 'localhost' || hosts.includes('localhost')) return checkServerIdentity(name, certificate);
    const faults = hosts.map((host) => checkServerIdentity(host, certificate));
    return faults.includes(undefined) ? undefined : faults[0];
  };
}

/** An address of IPv6 has no brackets here. */
function hostOf(server: string): string {
  const { hostname } = new URL(server.includes('://') ? server.replace(/^\w+:/, 'http:') : `http://${server}`);
  const address = hostname.replace(/^\[|\]$/g, '');
  return isIP(address) ? address : hostname;
}
