/** An organization moves from one installation to another: its senders and programs work on, and nobody is paged for it. */
import type { Incident } from '@ams/contracts';
import { eventually, masterKeyFile } from '@ams/testing';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// eslint-disable-next-line @nx/enforce-module-boundaries -- a tool of the workspace, not a library
import { main } from '../../../../tools/admin/main.mjs';
import { openMailbox, type Mailbox } from '../system/mailbox.js';
import { startSystem, type List, type Organization, type Sender, type System } from '../system.js';

const folder = mkdtempSync(join(tmpdir(), 'organization-files-'));
const file = join(folder, 'acme.ndjson');
let mailbox: Mailbox;
let system: System | undefined;
let before: { organization: Organization; sender: Sender; alertId: string; incidents: Incident[] };

const start = async (): Promise<System> => (system = await startSystem({ env: { notifier: mailbox.settings } }));

async function admin(of: System, ...words: string[]): Promise<void> {
  const { env } = process;
  const { log } = console;
  console.log = () => undefined;
  process.env = {
    ...of.environmentOf('admin'),
    DATABASE_URL: of.postgres.url,
    MASTER_KEY_FILE: masterKeyFile(),
  };
  try {
    expect(await main(['organizations', ...words])).toBe(0);
  } finally {
    process.env = env;
    console.log = log;
  }
}

const incidentsOf = async ({ api }: Pick<Organization, 'api'>): Promise<Incident[]> =>
  (await api.get<List<Incident>>('/api/v1/incidents')).body.data;

const mailsAbout = (title: string) => mailbox.mails('owner@example.com').filter(({ text }) => text.includes(title));

const critical = (title: string) => ({ title, severity: 'critical', fingerprint: title });

beforeAll(async () => {
  mailbox = await openMailbox();
  const old = await start();
  const organization = await old.organization();
  const sender = await organization.integration();
  await sender.fire(critical('Disk is full'));
  await eventually(() => expect(mailsAbout('Disk is full')).toHaveLength(1), { timeoutMs: 60_000 });
  const [alert] = await organization.alerts();
  before = { organization, sender, alertId: alert!.id, incidents: await incidentsOf(organization) };
  const [row] = await old.sql<{ slug: string }>('SELECT slug FROM auth.organizations');
  await admin(old, 'export', row!.slug, file);
  await old.stop();
});

afterAll(async () => {
  await system?.stop();
  await mailbox?.close();
  rmSync(folder, { recursive: true });
});

it('keys read the same records, ingest URLs accept events, and nobody is paged again', async () => {
  const young = await start();
  // The services have run for the first time.
  await eventually(async () => expect(await young.sql('SELECT FROM alerts.partitions')).not.toEqual([]));
  await admin(young, 'import', file);
  const api = young.as(before.organization.key);
  const [incident] = before.incidents;

  expect(await incidentsOf({ api })).toMatchObject([
    { id: incident!.id, number: incident!.number, status: 'acknowledged', acknowledgedBy: { name: 'admin' } },
  ]);
  const alert = await api.get<{ data: { title: string; status: string } }>(`/api/v1/alerts/${before.alertId}`);
  expect(alert.body.data).toMatchObject({ title: 'Disk is full', status: 'firing' });

  // The path of the URL has the token. The gateway learns of it without a restart.
  const { pathname } = new URL(before.sender.ingestUrl);
  const send = (title: string) => young.ingest().post(pathname, critical(title));
  await eventually(async () => expect((await send('Disk is full')).status).toBe(202), { timeoutMs: 30_000 });
  await eventually(async () => {
    const again = await api.get<{ data: { occurrenceCount: number } }>(`/api/v1/alerts/${before.alertId}`);
    expect(again.body.data.occurrenceCount).toBe(2);
  });

  // Something new pages, also while the old incident is held.
  expect((await send('Mail does not work')).status).toBe(202);
  await eventually(() => expect(mailsAbout('Mail does not work').length).toBeGreaterThan(0), { timeoutMs: 60_000 });

  // What looks for missing pages has looked often enough to find any that it thinks are missing.
  const [now] = await young.sql<{ at: string }>('SELECT now()::text AS at');
  await eventually(
    async () => {
      const looks = await young.sql(
        `SELECT FROM (SELECT looked_at FROM workflows.page_looks UNION ALL SELECT looked_at FROM alerts.page_looks) looks
         WHERE looked_at < $1::timestamptz + interval '100 s'`,
        [now!.at],
      );
      expect(looks).toEqual([]);
    },
    { timeoutMs: 240_000 },
  );
  expect(mailsAbout('Disk is full').filter(({ text }) => !text.includes('Mail does not work'))).toHaveLength(1);
});
