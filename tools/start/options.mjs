// The command line of `npm start`.
import { parseArgs } from 'node:util';
import { resolve } from 'node:path';
import { root } from '../lib/workspace.mjs';
import { listOfSettings } from './operator-settings.mjs';

const help = () => `npm start [-- options]

  --port N      the port of the API and of the ingest webhook (8080, or PORT)
  --host ADDR   the address it listens on (127.0.0.1; 0.0.0.0 for other machines)
  --state DIR   the folder for all state (.local)
  --reset       delete the state and start with a new one
  --help

Environment variables: DATABASE_URL (a PostgreSQL to use in place of the embedded one; its role must be able to create
roles and schemas), NATS_URL with NATS_USERS_FILE (a NATS server with JetStream, in place of the embedded one, and the
passwords of its users: see docs/operating.md), and SMTP_URL with MAIL_FROM (a mail server that sends mails, in place of the mail catcher, which only shows them).

Settings of the services, which docs/configuration.md explains, are passed on to them:

${listOfSettings()}`;

export function parseStartOptions(args, report) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        port: { type: 'string' },
        host: { type: 'string' },
        state: { type: 'string' },
        reset: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      report.line(help());
      process.exit(0);
    }
    const { SMTP_URL, MAIL_FROM } = process.env;
    if (SMTP_URL && !MAIL_FROM) throw new Error('SMTP_URL requires MAIL_FROM, the sender address of mails.');
    const port = Number(values.port ?? process.env.PORT ?? 8080);
    if (!Number.isInteger(port) || port < 1 || port > 65535)
      throw new Error(`--port must be a number from 1 to 65535, not ${values.port ?? process.env.PORT}`);
    return {
      port,
      host: values.host ?? '127.0.0.1',
      state: resolve(root, values.state ?? '.local'),
      reset: values.reset ?? false,
      databaseUrl: process.env.DATABASE_URL || null,
      natsUrl: process.env.NATS_URL || null,
      mail: SMTP_URL ? { url: SMTP_URL, from: MAIL_FROM } : null,
    };
  } catch (error) {
    report.line(error.message);
    report.line();
    report.line(help());
    process.exit(2);
  }
}
