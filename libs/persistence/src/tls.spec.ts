/** TLS and certificates of clients to NATS and PostgreSQL, with real servers. */
import { migrate } from '@ams/database';
import { removeState, startNats, startPostgres, type EmbeddedNats, type EmbeddedPostgres } from '@ams/embedded';
import { connectNats, isNatsConnected } from '@ams/messaging';
import { createLogger, DatabaseSettings, readSettings, ServiceSettings, startService } from '@ams/service';
import { eventually, makeAuthority, testPasswords, type CertificateFiles, type TestAuthority } from '@ams/testing';
import { Module } from '@nestjs/common';
import { chmodSync, chownSync, copyFileSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openDatabase } from './database.module.js';

@Module({})
class EmptyModule {}

let dir: string;
let authority: TestAuthority;
let other: TestAuthority;
let server: CertificateFiles;
let client: CertificateFiles;
let stranger: CertificateFiles;
const log = createLogger('probe', 'fatal');

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`));
  chmodSync(dir, 0o711); // as root, PostgreSQL runs as another user
  authority = await makeAuthority(dir, 'authority');
  server = await authority.issue('server');
  client = await authority.issue('postgres');
  mkdirSync(join(dir, 'other'));
  other = await makeAuthority(join(dir, 'other'), 'other');
  stranger = await other.issue('postgres');
});
afterAll(() => removeState(dir));

const filesOf = (prefix: string, ca: TestAuthority | null, own: CertificateFiles | null): Record<string, string> => ({
  ...(ca && { [`${prefix}_TLS_CA_FILE`]: ca.caFile }),
  ...(own && { [`${prefix}_TLS_CERT_FILE`]: own.certFile, [`${prefix}_TLS_KEY_FILE`]: own.keyFile }),
});

describe('NATS', () => {
  let nats: EmbeddedNats;
  const tlsOf = ({ certFile, keyFile }: CertificateFiles, { caFile }: TestAuthority): string =>
    `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${caFile}", verify: true }`;
  beforeAll(async () => {
    nats = await startNats({ dir: join(dir, 'nats'), durable: false, config: tlsOf(server, authority) });
  });
  afterAll(() => nats?.stop());

  const start = (environment: Record<string, string>, host = 'localhost') =>
    startService(
      { name: 'probe', settings: ServiceSettings, module: EmptyModule },
      readSettings(ServiceSettings, {
        NATS_URL: `nats://${host}:${nats.port}`,
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: '0',
        ...environment,
      }),
      log,
    );

  test.each(['localhost', '127.0.0.1'])('a service with its certificate is ready, over %s', async (host) => {
    const service = await start(filesOf('NATS', authority, client), host);
    try {
      expect((await fetch(`http://127.0.0.1:${service.port}/readyz`)).status).toBe(200);
    } finally {
      await service.stop();
    }
  });

  test.each([
    ['another authority', () => filesOf('NATS', other, client)],
    ['no settings of TLS', () => ({})],
    ['tls:// in the URL and no files', () => ({ NATS_URL: `tls://localhost:${nats.port}` })],
    ['no certificate of its own', () => filesOf('NATS', authority, null)],
    ['the certificate of a stranger', () => filesOf('NATS', authority, stranger)],
    [
      'a certificate that has expired',
      async () => filesOf('NATS', authority, await authority.issue('old', { days: -1 })),
    ],
  ])('with %s it does not start, and says so in one sentence', async (_what, environment) => {
    await expect(start(await environment())).rejects.toThrow(/^no TLS connection to NATS: .*\. Check NATS_TLS_CA_FILE/);
  });

  test.each([
    ['for another name', { hosts: ['other.example'] }, /is not (?:in the )?cert's/],
    ['for localhost, which is not in NATS_URL', { hosts: ['localhost'] }, /is not (?:in the )?cert's/],
    ['that has expired', { days: -1 }, /certificate has expired/],
  ])('a server with a certificate %s is refused', async (what, options, message) => {
    const config = tlsOf(await authority.issue('wrong', options), authority);
    const wrong = await startNats({ dir: join(dir, what.replaceAll(/\W/g, '-')), durable: false, config });
    try {
      const files = { ...filesOf('NATS', authority, client), NATS_URL: wrong.url };
      await expect(start(files)).rejects.toThrow(message);
    } finally {
      await wrong.stop();
    }
  });

  test('certificates that are renewed on disk are used at the next connection', async () => {
    const [caFile, certFile, keyFile] = ['ca', 'cert', 'key'].map((name) => join(dir, `renewed-${name}.pem`));
    const write = (ca: TestAuthority, own: CertificateFiles) => {
      copyFileSync(ca.caFile, caFile!);
      copyFileSync(own.certFile, certFile!);
      copyFileSync(own.keyFile, keyFile!);
    };
    write(authority, client);
    const tls = { caFile: caFile!, certFile: certFile!, keyFile: keyFile! };
    const connection = await connectNats({ url: `nats://localhost:${nats.port}`, name: 'probe', tls });
    try {
      await nats.restart({ config: tlsOf(await other.issue('server'), other) });
      write(other, stranger);
      await eventually(async () => expect(await isNatsConnected(connection)).toBe(true));
    } finally {
      await connection.close();
    }
  });

  test('with TLS in its settings it sends no password to a server without TLS', async () => {
    await nats.restart({ config: '' });
    await expect(start({ ...filesOf('NATS', authority, null), NATS_USER: 'a', NATS_PASSWORD: 'b' })).rejects.toThrow(
      /^no TLS connection to NATS: server does not support 'tls'/,
    );
  });

  test('settings that cannot work are refused', () => {
    const refused = (environment: Record<string, string>, message: RegExp) =>
      expect(() => readSettings(ServiceSettings, environment)).toThrow(message);
    refused({ NATS_TLS_CA_FILE: '/nowhere/ca.pem' }, /NATS_TLS_CA_FILE: must be a file that this process can read/);
    refused({ NATS_TLS_CA_FILE: client.keyFile }, /NATS_TLS_CA_FILE: must be a file .* with certificates in PEM/);
    refused(filesOf('NATS', null, client), /NATS_TLS_CA_FILE: must be a file/);
    refused({ NATS_TLS_CA_FILE: authority.caFile, NATS_TLS_CERT_FILE: client.certFile }, /NATS_TLS_KEY_FILE: must be/);
    refused({ NATS_TLS_CA_FILE: authority.caFile, NATS_TLS_KEY_FILE: client.keyFile }, /NATS_TLS_CERT_FILE: must be/);
    refused(
      filesOf('NATS', authority, { ...client, keyFile: server.keyFile }),
      /NATS_TLS_KEY_FILE: must be .* of the certificate/,
    );
  });
});

describe('PostgreSQL', () => {
  let postgres: EmbeddedPostgres;
  /** It is connected since before the server asks for certificates. */
  let admin: pg.Client;

  beforeAll(async () => {
    postgres = await startPostgres({ dir: join(dir, 'postgres'), settings: { fsync: 'off' } });
    admin = new pg.Client({ connectionString: postgres.url });
    await admin.connect();
    const { rows } = await admin.query<{ data: string; hba: string }>(
      `SELECT current_setting('data_directory') AS data, current_setting('hba_file') AS hba`,
    );
    const { data, hba } = rows[0]!;
    const { uid, gid } = statSync(data);
    const { certFile, keyFile } = await authority.issue('database', { hosts: ['127.0.0.1'] });
    const copies = { 'server.crt': certFile, 'server.key': keyFile };
    const authorities = { 'clients.crt': authority.caFile, 'others.crt': other.caFile };
    for (const [name, from] of Object.entries({ ...copies, ...authorities })) {
      copyFileSync(from, join(data, name));
      chownSync(join(data, name), uid, gid);
    }
    const rules = 'hostssl all all 127.0.0.1/32 scram-sha-256 clientcert=verify-full\nhost all all all reject\n';
    writeFileSync(hba, rules);
    await admin.query(`ALTER SYSTEM SET ssl = 'on'`);
    await requireClientsOf('clients.crt');
  });
  afterAll(async () => {
    await admin?.end();
    await postgres?.stop();
  });

  const requireClientsOf = async (file: string): Promise<void> => {
    await admin.query(`ALTER SYSTEM SET ssl_ca_file = '${file}'`);
    const { rows } = await admin.query<{ at: Date }>('SELECT pg_conf_load_time() AS at');
    await admin.query('SELECT pg_reload_conf()');
    await eventually(async () => {
      const next = await admin.query<{ at: Date }>('SELECT pg_conf_load_time() AS at');
      expect(next.rows[0]!.at).not.toEqual(rows[0]!.at);
    });
  };

  const open = (environment: Record<string, string>, parameters = '') => {
    const settings = readSettings(DatabaseSettings, { DATABASE_URL: postgres.url + parameters, ...environment });
    return openDatabase(settings, log, { service: 'auth', entities: [], poolSize: 2 });
  };
  const used = `SELECT ssl, client_dn AS name, issuer_dn AS issuer FROM pg_stat_ssl WHERE pid = pg_backend_pid()`;

  test('a service with its certificate connects, and a renewed one is used at the next connection', async () => {
    const [caFile, certFile, keyFile] = ['ca', 'cert', 'key'].map((name) => join(dir, `database-${name}.pem`)) as [
      string,
      string,
      string,
    ];
    copyFileSync(authority.caFile, caFile);
    copyFileSync(client.certFile, certFile);
    copyFileSync(client.keyFile, keyFile);
    const database = await open(filesOf('DATABASE', { ...authority, caFile }, { certFile, keyFile }));
    try {
      expect(await database.query(used)).toEqual([{ ssl: true, name: '/CN=postgres', issuer: '/CN=authority' }]);

      await requireClientsOf('others.crt');
      copyFileSync(stranger.certFile, certFile); // not yet its key: the pair of before is used
      await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'auth'`);
      await eventually(() => expect(database.query(used)).rejects.toThrow(/unknown ca/));
      copyFileSync(stranger.keyFile, keyFile);
      await eventually(async () => expect(await database.query(used)).toMatchObject([{ issuer: '/CN=other' }]));
    } finally {
      await database.close();
      await requireClientsOf('clients.crt');
    }
  });

  test.each([
    ['another authority', () => filesOf('DATABASE', other, client), /^no TLS connection to PostgreSQL: .*certificate/],
    ['no certificate of its own', () => filesOf('DATABASE', authority, null), /^no TLS .*requires a valid client cert/],
    ['the certificate of a stranger', () => filesOf('DATABASE', authority, stranger), /^no TLS .*unknown ca/],
    ['the certificate of another role', () => filesOf('DATABASE', authority, server), /password authentication failed/],
    ['no settings of TLS', () => ({}), /rejects connection .*no encryption/],
  ])('with %s it does not start, and says so in one sentence', async (_what, environment, message) => {
    await expect(open(environment())).rejects.toThrow(message);
  });

  test('a server with a certificate for another name is refused', async () => {
    const url = { DATABASE_URL: postgres.url.replace('127.0.0.1', 'localhost') };
    await expect(open({ ...filesOf('DATABASE', authority, client), ...url })).rejects.toThrow(
      /is not (?:in the )?cert's/,
    );
  });

  test.each(['?sslmode=no-verify', '?ssl=no-verify', '?sslmode=require&uselibpqcompat=true'])(
    'the URL cannot accept any certificate: %s',
    async (parameters) => {
      await expect(open({}, parameters)).rejects.toThrow(/^DATABASE_URL and PGSSLMODE must not switch off/);
    },
  );

  test('the URL cannot switch TLS off when its files are set', async () => {
    const files = filesOf('DATABASE', authority, client);
    await expect(open(files, '?sslmode=disable')).rejects.toThrow(/^DATABASE_URL must have no parameters of TLS/);
  });

  test('migrations use TLS, too', async () => {
    const wrong = { ...stranger, caFile: authority.caFile };
    await expect(migrate(postgres.url, testPasswords, wrong)).rejects.toThrow(/unknown ca/);
    await expect(migrate(postgres.url, testPasswords, { ...client, caFile: other.caFile })).rejects.toThrow(
      /certificate/,
    );
  });
});
