/**
 * `organizations export` and `import`: an organization with a record of each kind is taken from one database to another.
 * The whole way, with services, is in organization-files.long.ts, and the table of kinds in organization-kinds.spec.ts.
 */
import { newUuid, publicId, type Tenant } from '@ams/contracts';
import {
  createTestDatabase,
  insertAlert,
  insertApiKey,
  insertClient,
  insertIncident,
  insertIntegration,
  insertMember,
  insertOrganization,
  insertRows,
  insertSchedule,
  insertScheduleOverride,
  insertSuppressionWindow,
  insertWorkflow,
  masterKeyFile,
  newMasterKey,
  provideTestInfrastructure,
  type MigratedDatabase,
} from '@ams/testing';
import { heartbeatFingerprint, partitionOf } from '@ams/domain';
import { masterKeysOfFile, newDataKey, recordOfDataKey, TenantSecrets } from '@ams/service';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
/* eslint-disable @nx/enforce-module-boundaries -- a tool of the workspace, not a library */
import { dataKeyKind, kinds } from '../../../../tools/admin/organization-files/kinds.mjs';
import { main } from '../../../../tools/admin/main.mjs';
/* eslint-enable @nx/enforce-module-boundaries */

interface CommandResult {
  code: number;
  stdout: string;
  stderr: string;
}

type Row = Record<string, unknown>;

interface Line extends Row {
  kind: string;
  row: Row;
}

let stopServers: () => Promise<void>;
let source: MigratedDatabase;
let target: MigratedDatabase;
let dir: string;
let passphrase: string;
let targetKeys: string;
let furnished: Furnished;

beforeAll(async () => {
  stopServers = await provideTestInfrastructure();
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  dir = mkdtempSync(join(tmpdir(), 'organization-files-'));
  passphrase = join(dir, 'passphrase');
  writeFileSync(passphrase, 'correct horse battery staple\n');
  targetKeys = join(dir, 'target-keys');
  writeFileSync(targetKeys, `${newMasterKey()}\n`);
  for (const { admin } of [source, target])
    await admin.query('INSERT INTO alerts.partitions (partition) SELECT generate_series(0, 3)');
  furnished = await furnish(source);
});

afterAll(async () => {
  await Promise.all([source?.drop(), target?.drop()]);
  await stopServers?.();
  rmSync(dir, { recursive: true });
});

/** Organizations cannot be deleted, so the database is a new one. */
async function newTarget(): Promise<void> {
  await target.drop();
  target = await createTestDatabase();
  await target.admin.query('INSERT INTO alerts.partitions (partition) SELECT generate_series(0, 3)');
}

async function command(database: MigratedDatabase, words: string[], keys = masterKeyFile()): Promise<CommandResult> {
  const { env } = process;
  const { log, error } = console;
  const printed = { stdout: '', stderr: '' };
  process.env = { DATABASE_URL: database.url, MASTER_KEY_FILE: keys };
  console.log = (line: string) => void (printed.stdout += `${line}\n`);
  console.error = (line: string) => void (printed.stderr += `${line}\n`);
  try {
    return { code: await main(['organizations', ...words]), ...printed };
  } finally {
    process.env = env;
    Object.assign(console, { log, error });
  }
}

let files = 0;

async function exported(database: MigratedDatabase, ...options: string[]): Promise<string> {
  const file = join(dir, `${++files}.ndjson`);
  const done = await command(
    database,
    ['export', 'ship-sail', file, ...options],
    database === source ? undefined : targetKeys,
  );
  expect(done).toMatchObject({ code: 0, stderr: '' });
  return file;
}

const imported = (file: string, ...options: string[]): Promise<CommandResult> =>
  command(target, ['import', file, ...options], targetKeys);

const linesOf = (file: string): Line[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);

/** A copy whose lines are changed, with counts and a checksum that fit them unless the change is one of the text. */
function edited(file: string, change: (lines: Line[]) => Line[] | void, text = (whole: string) => whole): string {
  const lines = linesOf(file).slice(0, -1);
  const changed = change(lines) ?? lines;
  const body = changed.map((line) => `${JSON.stringify(line)}\n`).join('');
  const sha256 = createHash('sha256').update(body).digest('hex');
  const copy = join(dir, `${++files}.ndjson`);
  writeFileSync(copy, text(`${body}${JSON.stringify({ kind: 'end', lines: changed.length, sha256 })}\n`));
  return copy;
}

const lineOf = (lines: Line[], kind: string): Line => lines.find((line) => line.kind === kind) as Line;

const organizationsIn = async (database: MigratedDatabase): Promise<number> =>
  (await database.admin.query('SELECT FROM auth.organizations')).rowCount ?? 0;

interface Furnished {
  organizationId: string;
  incident: string;
  alert: string;
  address: string;
  sealed: string;
}

const hour = 3_600_000;

/** A record of each kind. */
async function furnish({ admin: sql }: MigratedDatabase): Promise<Furnished> {
  const organizationId = await insertOrganization(sql, { name: 'Ship & Sail', slug: 'ship-sail' });
  const tenant: Tenant = { organizationId, environment: 'live' };
  const [now, old] = [new Date(), new Date('2026-02-03T04:05:06.789Z')];
  const by = { type: 'service', id: null, name: 'test' };
  const memberId = await insertMember(sql, tenant, {
    name: 'Zoë "Z" \u2028 \\u0000 O\'Neil',
    role: 'owner',
    contactMethods: [{ type: 'email', address: 'zoe@example.com' }],
  });
  await insertApiKey(sql, { organizationId });
  const clientId = await insertClient(sql, tenant, { slug: 'northwind', aliases: ['nw'] });
  const [teamId, policyId, scheduleId, workflowId] = [newUuid(), newUuid(), newUuid(), newUuid()];
  const dataKey = newDataKey();
  await sql.query('INSERT INTO resources.data_keys (organization_id, environment, sealed) VALUES ($1, $2, $3)', [
    organizationId,
    'live',
    await masterKeysOfFile(masterKeyFile()).seal(dataKey, recordOfDataKey(tenant)),
  ]);
  const address = 'https://hooks.example.com/services/T0/B0/secret-of-the-chat';
  const place = { kind: 'address', value: address, base: 'https://hooks.example.com' } as const;
  const sealed = new TenantSecrets(dataKey, tenant).sealing(publicId('workflow', workflowId))(place);
  const channel = { type: 'channel', kind: 'slack', url: sealed };
  await insertRows(sql, 'resources.teams', [{ id: teamId, ...tenant, name: 'Deck', slug: 'deck' }]);
  await insertRows(sql, 'resources.escalation_policies', [
    { id: policyId, ...tenant, name: 'Deck', teamId, levels: [{ id: 'level-1', targets: [channel] }], repeat: 1 },
  ]);
  await sql.query('UPDATE resources.teams SET policy_id = $1 WHERE id = $2', [policyId, teamId]);
  await insertRows(sql, 'resources.team_members', [{ ...tenant, teamId, memberId, role: 'manager', position: 1 }]);
  await insertRows(sql, 'resources.defaults_made', [{ organizationId, pages: true, policies: true }]);
  await insertRows(sql, 'resources.organization_settings', [
    {
      ...tenant,
      catchAllPolicyId: policyId,
      highUrgencySeverities: ['critical'],
      flap: { changes: 4 },
      defaultWindowSeconds: 900,
    },
  ]);
  await insertSchedule(sql, tenant, { id: scheduleId, layers: [{ id: 'layer-1', members: [memberId] }] });
  await insertRows(sql, 'resources.schedule_versions', [
    {
      ...tenant,
      scheduleId,
      effectiveFrom: null,
      effectiveUntil: old,
      timezone: 'UTC',
      layerMode: 'last',
      layers: [],
      plannedGaps: [],
    },
  ]);
  await insertRows(sql, 'resources.schedule_members', [{ ...tenant, scheduleId, memberId }]);
  await insertScheduleOverride(sql, tenant, { scheduleId, memberId });
  // Of a member who was deleted.
  await insertScheduleOverride(sql, tenant, { scheduleId, memberId: newUuid(), startsAt: old, endsAt: now });
  await insertRows(sql, 'resources.calendar_feeds', [
    { id: newUuid(), ...tenant, scheduleId, tokenHash: 'hash of a feed', createdBy: by, createdAt: now },
  ]);
  await insertRows(sql, 'resources.policy_references', [{ ...tenant, policyId, scheduleId }]);
  const steps = [{ id: 'tell', type: 'notify', params: { targets: [channel], message: 'look' } }];
  await insertWorkflow(sql, tenant, { id: workflowId, name: 'Tell the chat', steps });
  await insertRows(sql, 'resources.workflow_references', [{ ...tenant, workflowId, policyId }]);
  const windowId = await insertSuppressionWindow(sql, tenant, { clientIds: [clientId] });
  await insertRows(sql, 'resources.views', [
    {
      id: newUuid(),
      ...tenant,
      name: 'Mine',
      page: 'alerts',
      query: { status: 'firing' },
      position: 1,
      visibility: 'own',
      ownerId: memberId,
    },
  ]);
  const integrationId = await insertIntegration(sql, tenant, { clientId });
  await sql.query(
    `UPDATE resources.integrations SET previous_token_hash = 'hash before', previous_token_expires_at = now() + interval '1 day'`,
  );
  await insertRows(sql, 'resources.integration_activity', [
    { ...tenant, integrationId, lastEventAt: now, limitedCount: 9007199254740993n.toString() },
  ]);
  await insertRows(sql, 'alerts.heartbeats', [
    {
      ...tenant,
      integrationId,
      name: 'nightly',
      enabled: true,
      intervalSeconds: 60,
      settings: {},
      sender: {},
      partition: 0,
      createdAt: now,
      lastPingAt: old,
      waitingSince: old,
    },
  ]);
  const resolved = await insertIncident(sql, tenant, {
    status: 'resolved',
    createdAt: old,
    updatedAt: old,
    title: 'Old',
  });
  const merged = await insertIncident(sql, tenant, { status: 'resolved', createdAt: old, updatedAt: now });
  const incident = await insertIncident(sql, tenant, {
    workflowId,
    groupKey: 'shop',
    createdAt: new Date(now.getTime() - hour),
    alertCount: 1,
    openAlertCount: 1,
  });
  await sql.query('UPDATE alerts.incidents SET merged_into = $1 WHERE id = $2', [incident, merged]);
  const nextAt = new Date(now.getTime() - 60_000).toISOString();
  const escalation = { state: 'escalating', episode: 1, round: 1, level: 1, nextAt, told: [] };
  const paging = {
    stage: 'policy',
    reached: true,
    levelIds: ['level-1'],
    remainingMs: null,
    joined: null,
    flappingUntil: null,
    refireAt: null,
  };
  await sql.query(
    'UPDATE alerts.incidents SET escalation = $2, paging = $3, due_at = $4, policy_id = $5 WHERE id = $1',
    [incident, JSON.stringify(escalation), JSON.stringify(paging), nextAt, policyId],
  );
  const alert = await insertAlert(sql, tenant, { integrationId, clientId, incidentId: incident, labels: { a: 'ü' } });
  const ofOld = await insertAlert(sql, tenant, {
    integrationId,
    incidentId: resolved,
    status: 'resolved',
    createdAt: old,
    updatedAt: old,
  });
  const entry = { ...tenant, occurredAt: now, actor: by, cause: { type: 'event', id: null }, changes: [] };
  const oldEntry = { ...entry, occurredAt: old };
  await insertRows(sql, 'alerts.timeline', [
    { id: newUuid(), ...entry, alertId: alert, alertVersion: 1, type: 'alert.created' },
    { id: newUuid(old.getTime()), ...oldEntry, alertId: ofOld, alertVersion: 1, type: 'alert.created' },
  ]);
  await insertRows(sql, 'alerts.incident_timeline', [
    { id: newUuid(), ...entry, incidentId: incident, incidentVersion: 1, type: 'incident.created' },
    { id: newUuid(old.getTime()), ...oldEntry, incidentId: resolved, incidentVersion: 1, type: 'incident.created' },
  ]);
  const pageId = newUuid();
  const destination = { channel: 'slack', url: sealed, sealedFor: publicId('workflow', workflowId) };
  await insertRows(sql, 'alerts.pages', [
    {
      id: pageId,
      ...tenant,
      incidentId: incident,
      alertId: alert,
      kind: 'level',
      stage: 'policy',
      episode: 1,
      round: 1,
      level: 1,
      policyId,
      policyName: 'Deck',
      why: 'named',
      recipients: [{ notificationId: newUuid(), destination }],
      createdAt: now,
    },
  ]);
  const received = { ...tenant, integrationId, alertId: alert, outcome: 'opened' };
  await insertRows(sql, 'alerts.events', [
    { id: newUuid(), ...received, receivedAt: now, event: { title: 'High' } },
    { id: newUuid(old.getTime()), ...received, receivedAt: old, event: { title: 'Old' } },
  ]);
  await insertRows(sql, 'alerts.window_counts', [{ ...tenant, windowId, partition: 2, n: 7 }]);
  await insertRows(sql, 'resources.requests', [
    {
      id: newUuid(),
      ...tenant,
      integrationId,
      receivedAt: now,
      requestId: 'req_1',
      contentType: 'text/plain',
      payload: 'a\nb',
      items: [],
      outcome: 'accepted',
      status: 202,
    },
  ]);
  await insertRows(sql, 'workflows.considered', [
    { ...tenant, eventId: newUuid(), alertId: ofOld, eventType: 'alert.created', occurredAt: now, workflows: [] },
  ]);
  const runId = newUuid();
  await insertRows(sql, 'workflows.runs', [
    {
      id: runId,
      ...tenant,
      workflowId,
      workflowName: 'Tell the chat',
      workflowVersion: 1,
      eventId: newUuid(),
      eventType: 'alert.created',
      occurredAt: now,
      depth: 0,
      alertId: alert,
      status: 'waiting',
      trace: {},
      steps,
      nextStep: 0,
      results: [],
      joined: false,
      previousDoneAt: now,
      dueAt: now,
      createdAt: now,
    },
  ]);
  await insertRows(sql, 'workflows.page_requests', [
    { id: newUuid(), ...tenant, alertId: alert, eventId: newUuid(), workflowId, askedAt: now, incidentId: null },
    { id: newUuid(), ...tenant, alertId: alert, eventId: newUuid(), workflowId, askedAt: now, incidentId: incident },
  ]);
  await insertRows(sql, 'workflows.notifications', [
    {
      id: newUuid(),
      ...tenant,
      runId,
      workflowId,
      alertId: alert,
      pageId,
      channel: 'slack',
      target: 'hooks.example.com',
      destination,
      notice: { subject: 's', message: 'm' },
      stopWhen: [],
      why: 'step',
      status: 'queued',
      createdAt: now,
      updatedAt: now,
    },
  ]);
  const { rows } = await sql.query<{ id: string; fingerprint: string }>('SELECT id, fingerprint FROM alerts.alerts');
  for (const { id, fingerprint } of rows)
    await sql.query('UPDATE alerts.alerts SET partition = $2 WHERE id = $1', [
      id,
      partitionOf(organizationId, 'live', fingerprint, 4),
    ]);
  await sql.query('UPDATE alerts.heartbeats SET partition = $1', [
    partitionOf(organizationId, 'live', heartbeatFingerprint('nightly'), 4),
  ]);
  // Another tenant, of which nothing may be in the file.
  const other = await insertOrganization(sql, { name: 'Other', slug: 'other' });
  await insertAlert(sql, { organizationId: other, environment: 'live' }, { title: 'Foreign' });
  return { organizationId, incident, alert, address, sealed };
}

describe('an organization with a record of each kind', () => {
  afterEach(newTarget);

  it('is the same when it is exported again, with its secrets', async () => {
    const file = await exported(source, '--with-secrets', passphrase);
    const [{ counts }] = linesOf(file) as unknown as [{ counts: Record<string, number> }];
    for (const { kind } of [dataKeyKind, ...kinds]) expect({ kind, n: counts[kind] }).not.toEqual({ kind, n: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    for (const secret of [furnished.address, 'correct horse', 'Foreign']) expect(text).not.toContain(secret);

    expect(await imported(file, '--secrets', passphrase, '--resume')).toMatchObject({ code: 0, stderr: '' });
    const again = linesOf(await exported(target, '--with-secrets', passphrase));
    const comparable = (lines: Line[]) => lines.slice(1, -1).filter(({ kind }) => kind !== 'dataKey');
    expect(comparable(again)).toEqual(comparable(linesOf(file)));
    // Numbers that JavaScript cannot hold are the same, too.
    expect(readFileSync(file, 'utf8')).toContain('"limited_count":9007199254740993');
    const { rows } = await target.admin.query('SELECT limited_count::text FROM resources.integration_activity');
    expect(rows).toEqual([{ limited_count: '9007199254740993' }]);
  });

  it('has a data key that is sealed with the master key of its new installation, and opens what it has sealed', async () => {
    const file = await exported(source, '--with-secrets', passphrase);
    expect(await imported(file, '--secrets', passphrase)).toMatchObject({ code: 0, stderr: '' });
    const { organizationId, address, sealed } = furnished;
    const tenant: Tenant = { organizationId, environment: 'live' };
    const { rows } = await target.admin.query<{ sealed: Buffer }>('SELECT sealed FROM resources.data_keys');
    const dataKey = await masterKeysOfFile(targetKeys).open(rows[0]!.sealed, recordOfDataKey(tenant));
    const { rows: workflows } = await target.admin.query<{ id: string; steps: { params: { targets: Row[] } }[] }>(
      'SELECT id, steps FROM resources.workflows',
    );
    const [workflow] = workflows;
    expect(workflow!.steps[0]!.params.targets[0]!['url']).toBe(sealed);
    const opening = new TenantSecrets(dataKey!, tenant).opening(publicId('workflow', workflow!.id));
    expect(opening({ kind: 'address', value: sealed, base: 'https://hooks.example.com' })).toBe(address);
  });

  it('pages nobody for an hour, and then what still fires; what waited has ended', async () => {
    const file = await exported(source);
    const begun = Date.now();
    const done = await imported(file);
    expect(done).toMatchObject({ code: 0, stderr: '' });
    expect(done.stdout).toContain('1 incident is acknowledged for an hour.');
    const { incident, alert, organizationId } = furnished;
    const one = async (sql: string): Promise<unknown> => (await target.admin.query<Row>(sql)).rows;
    const { rows } = await target.admin.query<{ due_at: Date; status: string; escalation: Row; acknowledged_by: Row }>(
      'SELECT status, due_at, escalation, acknowledged_by FROM alerts.incidents WHERE id = $1',
      [incident],
    );
    const [{ due_at: due, ...held }] = rows as [(typeof rows)[0]];
    expect(held).toMatchObject({
      status: 'acknowledged',
      escalation: { state: 'waiting', nextAt: due.toISOString(), level: 1 },
      acknowledged_by: { type: 'service', name: 'admin' },
    });
    expect(due.getTime() - begun).toBeGreaterThan(hour - 60_000);
    expect(
      await one(
        `SELECT type, incident_version FROM alerts.incident_timeline WHERE incident_id = '${incident}' ORDER BY id`,
      ),
    ).toEqual([
      { type: 'incident.created', incident_version: 1 },
      { type: 'incident.acknowledged', incident_version: 2 },
    ]);
    expect(await one('SELECT status, finished_at IS NOT NULL AS ended FROM workflows.runs')).toEqual([
      { status: 'failed', ended: true },
    ]);
    expect(await one('SELECT status FROM workflows.notifications')).toEqual([{ status: 'skipped' }]);
    expect(await one('SELECT outcome FROM workflows.page_requests ORDER BY outcome')).toEqual([
      { outcome: 'nobody' },
      { outcome: null },
    ]);
    expect(await one('SELECT waiting_since FROM alerts.heartbeats')).toEqual([{ waiting_since: null }]);
    // The engine finds no event of a firing alert that nobody has decided about.
    expect(
      await one(`SELECT FROM alerts.timeline t JOIN alerts.alerts a ON a.id = t.alert_id WHERE a.status = 'firing'
        AND NOT EXISTS (SELECT FROM workflows.considered c WHERE c.event_id = t.id)`),
    ).toEqual([]);
    expect(await one(`SELECT status, sum(n)::int AS n FROM alerts.counts GROUP BY 1 ORDER BY 1`)).toEqual([
      { status: 'firing', n: 1 },
      { status: 'resolved', n: 1 },
    ]);
    expect(
      await one(
        `SELECT json_array_length(payload->'tokenHashes') AS n FROM resources.outbox WHERE subject = 'kv.integrations'`,
      ),
    ).toEqual([{ n: 2 }]);
    expect(await one('SELECT type, actor_name, resource_id FROM auth.audit_log')).toEqual([
      { type: 'organization.imported', actor_name: 'admin', resource_id: publicId('organization', organizationId) },
    ]);
    const { rows: entries } = await source.admin.query('SELECT DISTINCT type, actor_name FROM auth.audit_log');
    expect(entries).toEqual([{ type: 'organization.exported', actor_name: 'admin' }]);
    expect(await one(`SELECT status FROM alerts.alerts WHERE id = '${alert}'`)).toEqual([{ status: 'firing' }]);
  });

  it('has its old rows in months of their own', async () => {
    expect(await imported(await exported(source))).toMatchObject({ code: 0 });
    for (const table of ['timeline', 'incident_timeline', 'events'])
      expect((await target.admin.query(`SELECT FROM alerts.${table}_202602`)).rowCount).toBe(1);
  });

  it('goes to an installation with another number of partitions', async () => {
    await target.admin.query('DELETE FROM alerts.partitions WHERE partition > 0');
    const file = edited(await exported(source), (lines) => {
      for (const { kind, row } of lines) if (kind === 'alert' || kind === 'heartbeat') row['partition'] = 3;
    });
    expect(await imported(file)).toMatchObject({ code: 0 });
    const { rows } = await target.admin.query(
      'SELECT partition FROM alerts.alerts UNION SELECT partition FROM alerts.heartbeats',
    );
    expect(rows).toEqual([{ partition: 0 }]);
  });

  it('can have another slug, and its secrets left out', async () => {
    await insertOrganization(target.admin, { slug: 'ship-sail' });
    const file = await exported(source, '--with-secrets', passphrase);
    expect(await imported(file, '--without-secrets', '--slug', 'ship-sail-2')).toMatchObject({ code: 0, stderr: '' });
    expect((await target.admin.query('SELECT FROM resources.data_keys')).rowCount).toBe(0);
    const { rows } = await target.admin.query('SELECT slug FROM auth.organizations ORDER BY slug');
    expect(rows).toEqual([{ slug: 'ship-sail' }, { slug: 'ship-sail-2' }]);
  });

  it('has no secrets in its file without a passphrase, and the commands name the records', async () => {
    const file = join(dir, `${++files}.ndjson`);
    const { code, stdout } = await command(source, ['export', 'ship-sail', file]);
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /must be set again:\nKIND .*\nescalationPolicy +live +Deck\nworkflow +live +Tell the chat\n$/,
    );
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(furnished.sealed.slice(furnished.sealed.lastIndexOf('~') + 1));
    expect(text).not.toContain('"dataKey"');
    expect((await imported(file)).stdout).toContain('must be set again');
  });

  it('without history has its configuration only', async () => {
    const kindsIn = new Set(linesOf(await exported(source, '--configuration-only')).map(({ kind }) => kind));
    const configuration = kinds.filter(({ history }) => !history).map(({ kind }) => kind);
    expect([...kindsIn]).toEqual(['header', ...configuration, 'end']);
  });

  it('since a time has what is open, or has changed since then, as a whole', async () => {
    const file = await exported(source, '--since', '2026-06-01T00:00:00Z');
    const of = (kind: string) => linesOf(file).filter((line) => line.kind === kind);
    expect(of('alert').map(({ row }) => row['id'])).toEqual([furnished.alert]);
    expect(of('incident').map(({ row }) => [row['status'], row['merged_into'] !== null])).toEqual(
      [
        ['triggered', false],
        ['resolved', true],
      ].toSorted(),
    );
    expect([of('alertEntry'), of('incidentEntry'), of('event')].map(({ length }) => length)).toEqual([1, 1, 1]);
    expect(await imported(file)).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('an import is refused, and stores nothing', () => {
  let good: string;
  let sealedFile: string;
  beforeAll(async () => {
    await newTarget();
    good = await exported(source);
    sealedFile = await exported(source, '--with-secrets', passphrase);
  });

  const refused = async (file: string, sentence: RegExp | string, ...options: string[]): Promise<void> => {
    const result = await imported(file, ...options);
    expect(result).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(sentence) as string });
    expect(await organizationsIn(target)).toBe(0);
    expect((await target.admin.query('SELECT FROM alerts.alerts')).rowCount).toBe(0);
  };

  it.each<[string, (lines: Line[]) => Line[] | void, RegExp]>([
    ['another format', ([header]) => void (header!['format'] = 'x'), /line 1: this is no file of an organization/],
    ['another version', ([header]) => void (header!['version'] = 2), /line 1: the file has version 2 .* reads 1/],
    [
      'a header with another list of secrets',
      ([header]) => void (header!['secrets'] = { leftOut: [{ kind: 1 }] }),
      /line 1: a part of the header is missing/,
    ],
    ['a header without counts', ([header]) => void delete header!['counts'], /line 1: a part of the header is missing/],
    [
      'another schema',
      ([header]) => void (header!['schema'] = 'Retention1700000044000'),
      /line 1: the file was written with the schema Retention1700000044000, and this installation has /,
    ],
    [
      'a kind in the header that does not exist',
      ([header]) => void ((header!['counts'] as Row)['session'] = 1),
      /line 1: there is no kind "session"/,
    ],
    ['an unknown kind', (lines) => void (lines[3]!.kind = 'session'), /line 4: there is no kind "session"/],
    [
      'an unknown column',
      (lines) => void (lineOf(lines, 'apiKey').row['password'] = 'x'),
      /line \d+ \(apiKey\): there is no column "password"/,
    ],
    [
      'a column that is missing',
      (lines) => void delete lineOf(lines, 'client').row['slug'],
      /line \d+ \(client\): the column "slug" is missing/,
    ],
    [
      'a value that is missing',
      (lines) => void (lineOf(lines, 'client').row['slug'] = null),
      /line \d+ \(client\): the column "slug" must have a value/,
    ],
    [
      'a wrong type',
      (lines) => void (lineOf(lines, 'alert').row['occurrence_count'] = 'many'),
      /line \d+ \(alert\): the column "occurrence_count" is no integer/,
    ],
    [
      'a time that is none',
      (lines) => void (lineOf(lines, 'alert').row['created_at'] = 'yesterday'),
      /line \d+ \(alert\): the column "created_at" is no timestamp/,
    ],
    [
      'a list with a wrong value',
      (lines) => void (lineOf(lines, 'suppressionWindow').row['client_ids'] = ['x']),
      /the column "client_ids" is no uuid\[\]/,
    ],
    [
      'a row of another organization',
      (lines) => void (lineOf(lines, 'team').row['organization_id'] = newUuid()),
      /line \d+ \(team\): the row belongs to another organization/,
    ],
    [
      'another organization',
      (lines) => void (lineOf(lines, 'organization').row['id'] = newUuid()),
      /line 2 \(organization\): the row belongs to another organization/,
    ],
    [
      'more than kind and row',
      (lines) => void (lineOf(lines, 'team')['table'] = 'auth.accounts'),
      /line \d+ \(team\): a line has "kind" and "row", and nothing else/,
    ],
    [
      'lines in another order',
      ([header, organization, member, ...rest]) => [header!, member!, organization!, ...rest],
      /line 3: organization must be before member/,
    ],
    [
      'a line too few',
      (lines) => lines.filter(({ kind }) => kind !== 'client'),
      /the header names 1 lines of the kind client, and there are 0/,
    ],
    [
      'what a rule of the database does not allow',
      (lines) => void (lineOf(lines, 'alert').row['occurrence_count'] = 0),
      /line \d+ \(alert\): new row for relation "alerts" violates check constraint/,
    ],
    [
      'a record that refers to nothing',
      (lines) => void (lineOf(lines, 'integration').row['client_id'] = newUuid()),
      /line \d+ \(integration\): insert or update on table "integrations" violates foreign key constraint/,
    ],
    [
      'a row in a form that this release does not store',
      (lines) => void (lines.filter(({ kind }) => kind === 'incident').at(-1)!.row['escalation'] = null),
      /line \d+ \(incident\): the column "escalation" must have a value/,
    ],
    [
      'secrets that the header does not name',
      ([header, ...rest]) => {
        const row = {
          organization_id: furnished.organizationId,
          environment: 'live',
          created_at: '2026-01-01T00:00:00Z',
        };
        (header!['counts'] as Row)['dataKey'] = 1;
        return [header!, { kind: 'dataKey', row: { ...row, sealed: 'AAAA' } }, ...rest];
      },
      /line 2: the header names no secrets/,
    ],
  ])('for %s', async (_what, change, sentence) => {
    const file = edited(good, change);
    await refused(file, sentence, '--check');
    await refused(file, sentence);
  });

  it('with the number of the line, also when only the database sees what is wrong', async () => {
    let number = 0;
    const file = edited(good, (lines) => {
      const at = lines.findLastIndex(({ kind }) => kind === 'alert');
      lines[at]!.row['occurrence_count'] = 0;
      number = at + 1;
    });
    await refused(file, new RegExp(`: line ${number} \\(alert\\): new row for relation "alerts" violates`));
  });

  it.each<[string, (text: string) => string, RegExp]>([
    ['a changed byte', (text) => text.replace('High CPU', 'Low CPU!'), /the checksum is wrong/],
    ['no end', (text) => text.replace(/\{"kind":"end".*\n$/, ''), /the file has no end/],
    ['a part of a line', (text) => text.slice(0, -40), /the file has no end/],
    ['a line after the end', (text) => `${text}{}\n`, /there is a line after the end/],
    ['no JSON', (text) => text.replace('{"kind":"member"', '{kind:member'), /line 3: this is no JSON in UTF-8/],
    ['another number of lines', (text) => text.replace(/"lines":\d+/, '"lines":3'), /the end names 3 lines/],
    ['an empty file', () => '', /the file has no end/],
  ])('for %s', async (_what, change, sentence) => {
    await refused(
      edited(good, () => undefined, change),
      sentence,
    );
  });

  it('for secrets without, or with a wrong passphrase, and without a master key', async () => {
    await refused(good, /the file has no secrets: leave out --secrets/, '--secrets', passphrase);
    await refused(sealedFile, /the file has secrets: give --secrets .*, or --without-secrets/);
    const wrong = join(dir, 'wrong');
    writeFileSync(wrong, 'another passphrase than that');
    await refused(sealedFile, /the passphrase is wrong, or the secrets of the file were changed/, '--secrets', wrong);
    writeFileSync(wrong, 'short');
    await refused(sealedFile, /must have a passphrase of at least 16 characters/, '--secrets', wrong);
    const result = await command(target, ['import', sealedFile, '--secrets', passphrase], '');
    expect(result).toMatchObject({ code: 1, stderr: expect.stringMatching(/^MASTER_KEY_FILE or /) as string });
  });

  it('for a check of a good file, which says so', async () => {
    expect(await imported(good, '--check')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing was stored.'),
    });
    expect(await organizationsIn(target)).toBe(0);
  });

  it('when the services have never run', async () => {
    await target.admin.query('DELETE FROM alerts.partitions');
    await refused(good, /^The services of this installation have never run/);
    await target.admin.query('INSERT INTO alerts.partitions (partition) SELECT generate_series(0, 3)');
  });

  it('for a file that is not there', async () => {
    await refused(join(dir, 'nothing'), /ENOENT/);
  });

  it('when another organization has what must be unique: all of it is listed, and no hash', async () => {
    const other = await insertOrganization(target.admin, { slug: 'ship-sail', name: 'Theirs' });
    const tenant: Tenant = { organizationId: other, environment: 'live' };
    const [alert] = linesOf(good).filter(({ kind }) => kind === 'alert');
    await insertAlert(target.admin, tenant, { id: alert!.row['id'] as string });
    const theirs = await insertIntegration(target.admin, tenant);
    const own = lineOf(linesOf(good), 'integration').row;
    await target.admin.query('UPDATE resources.integrations SET previous_token_hash = $1 WHERE id = $2', [
      own['token_hash'],
      theirs,
    ]);
    const { code, stderr } = await imported(good);
    expect(code).toBe(1);
    expect(stderr.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/: 3 values of the file are in use in the installation already:$/),
      'line 2: the slug of the organization "Ship & Sail" is in use.',
      expect.stringMatching(/^line \d+: the token of the integration "Sender" is in use\.$/),
      expect.stringMatching(/^line \d+: the id of the alert ".*" is in use\.$/),
    ]);
    expect(stderr).not.toContain(own['token_hash']);
    expect(await organizationsIn(target)).toBe(1);
  });

  it('when a record refers to one of another organization', async () => {
    const other = await insertOrganization(target.admin, { slug: 'third' });
    const foreign = await insertClient(target.admin, { organizationId: other, environment: 'live' });
    const file = edited(good, (lines) => {
      lineOf(lines, 'integration').row['client_id'] = foreign;
      lineOf(lines, 'alert').row['id'] = newUuid();
      lineOf(lines, 'integration').row['token_hash'] = 'another';
    });
    const { code, stderr } = await imported(file, '--slug', 'ship-sail-3');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /an? integration refers by "client_id" to a record of another organization/,
      ) as string,
    });
  });

  it('when an override names a member of another organization', async () => {
    const other = await insertOrganization(target.admin, { slug: 'fourth' });
    const foreign = await insertMember(target.admin, { organizationId: other });
    const file = edited(good, (lines) => {
      lineOf(lines, 'scheduleOverride').row['member_id'] = foreign;
      lineOf(lines, 'alert').row['id'] = newUuid();
      lineOf(lines, 'integration').row['token_hash'] = 'another';
    });
    const { code, stderr } = await imported(file, '--slug', 'ship-sail-3');
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        /a scheduleOverride refers by "member_id" to a record of another organization/,
      ) as string,
    });
  });

  it('when the organization is there already', async () => {
    await newTarget();
    expect(await imported(good)).toMatchObject({ code: 0 });
    const { code, stderr } = await imported(good, '--slug', 'again');
    expect(code).toBe(1);
    expect(stderr).toContain('line 2: the id of the organization "Ship & Sail" is in use.');
  });
});

describe('an export is refused', () => {
  it('when the file exists', async () => {
    const file = join(dir, 'present');
    writeFileSync(file, 'mine');
    expect(await command(source, ['export', 'ship-sail', file])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('EEXIST'),
    });
    expect(readFileSync(file, 'utf8')).toBe('mine');
  });

  it('for an unknown organization, and leaves no file', async () => {
    const file = join(dir, 'unknown');
    expect(await command(source, ['export', 'nobody', file])).toMatchObject({
      code: 1,
      stderr: 'There is no organization with the slug "nobody".\n',
    });
    expect(existsSync(file)).toBe(false);
  });

  it('when a workflow has a secret in plain text, and leaves no file', async () => {
    const { organizationId } = furnished;
    const step = {
      id: 'tell',
      type: 'notify',
      params: { targets: [{ type: 'channel', kind: 'slack', url: furnished.address }], message: 'm' },
    };
    const id = await insertWorkflow(source.admin, { organizationId, environment: 'live' }, { steps: [step] });
    const file = join(dir, 'plain');
    const { code, stderr } = await command(source, ['export', 'ship-sail', file]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `workflow ${id} has secrets in plain text, from an earlier release. Run "secrets seal" first.\n`,
    });
    expect(existsSync(file)).toBe(false);
    await source.admin.query('DELETE FROM resources.workflows WHERE id = $1', [id]);
  });

  it('when its folder cannot be written, or its master key is another one', async () => {
    expect((await command(source, ['export', 'ship-sail', join(dir, 'no/folder')])).stderr).toContain('ENOENT');
    const file = join(dir, 'other-key');
    const { stderr } = await command(source, ['export', 'ship-sail', file, '--with-secrets', passphrase], targetKeys);
    expect(stderr).toBe('The master key of the organization is not known here. Add it to MASTER_KEY_FILE.\n');
    expect(existsSync(file)).toBe(false);
    chmodSync(passphrase, 0o600);
  });
});
