/** The files of each folder: `{ auth: { 'nats-password': '…' } }`. */
export function secretFiles(
  values: Record<string, string>,
  options: {
    database: string;
    smtpUrl: string;
    serviceRoles: Record<string, string>;
    natsUsers: readonly string[];
    natsAccounts: (passwordOf: (user: string) => string) => object;
  },
): Record<string, Record<string, string>>;
