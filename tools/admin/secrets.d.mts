import type { KeyObject } from 'node:crypto';

/** The files of each folder: `{ auth: { 'nats-password': '…' } }`. */
export function secretFiles(
  values: Record<string, string>,
  options: {
    database: string;
    smtpUrl: string;
    serviceRoles: Record<string, string>;
    natsUsers: readonly string[];
    auditWriters: readonly string[];
    callOwners: readonly string[];
    publicJwkOf: (key: KeyObject) => object;
    natsAccounts: (passwordOf: (user: string) => string) => object;
  },
): Record<string, Record<string, string>>;
