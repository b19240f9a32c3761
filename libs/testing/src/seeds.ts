// Inserts rows that a test needs and that the tested service does not create. Each function has defaults and returns
// the id. Ids are UUIDs. Use the connection of the superuser, because the rows belong to several services and tenants.
import {
  credentialHash,
  keyPrefixOf,
  newApiKey,
  newIngestToken,
  newUuid,
  tokenHintOf,
  type Principal,
  type Tenant,
} from '@ams/contracts';
import { severities, type AlertStatus, type IncidentStatus, type Severity } from '@ams/domain';
import { scopes as allScopes, type Environment, type Scope } from '@ams/scopes';
import { testPrincipal } from './calls.js';

/** A pool or a client of `pg`. */
export interface SqlRunner {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

const hour = 3_600_000;

type Row = Record<string, unknown>;

const columnOf = (key: string): string => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Inserts rows into a table. Keys are column names in camel case, the same in each row; a column without a key gets its
 * default. Arrays, objects and dates may be given directly.
 */
export async function insertRows(sql: SqlRunner, table: string, rows: Row[], onConflict = ''): Promise<void> {
  const keys = Object.keys(rows[0] ?? {});
  if (keys.length === 0) return;
  const columns = keys.map(columnOf).join(', ');
  const values = rows.map((row) => Object.fromEntries(keys.map((key) => [columnOf(key), row[key]])));
  await sql.query(
    `INSERT INTO ${table} (${columns})
     SELECT ${columns} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) ${onConflict}`,
    [JSON.stringify(values)],
  );
}

async function insertOne(sql: SqlRunner, table: string, row: Row & { id: string }): Promise<string> {
  await insertRows(sql, table, [row]);
  return row.id;
}

const tenantOf = ({ organizationId, environment }: Tenant): Tenant => ({ organizationId, environment });

/** 4 is `critical`, 0 is `info`: the form in which the tables store severities. */
const rankOf = (severity: Severity): number => severities.length - 1 - severities.indexOf(severity);

export interface OrganizationSeed {
  id: string;
  name: string;
  slug: string;
  /** To the addresses of these domains mail is sent. */
  mailDomains: readonly string[];
}

export const testMailDomains: readonly string[] = ['example.com', 'other.example'];

/** Does nothing when an organization with this id exists. */
export async function insertOrganization(
  sql: SqlRunner,
  {
    id = newUuid(),
    name = `Organization ${id}`,
    slug = id,
    mailDomains = testMailDomains,
  }: Partial<OrganizationSeed> = {},
): Promise<string> {
  const { rows } = await sql.query('SELECT FROM auth.organizations WHERE id = $1', [id]);
  if (rows.length > 0) return id;
  await insertRows(sql, 'auth.organizations', [{ id, name, slug }], 'ON CONFLICT DO NOTHING');
  const now = new Date();
  await insertRows(
    sql,
    'auth.mail_recipients',
    mailDomains.map((domain) => ({
      id: newUuid(),
      organizationId: id,
      kind: 'domain',
      value: domain,
      key: domain,
      status: 'verified',
      token: 'token',
      verifiedBy: 'operator',
      verifiedAt: now,
      createdAt: now,
      updatedAt: now,
    })),
    'ON CONFLICT DO NOTHING',
  );
  return id;
}

export interface ApiKeySeed {
  id: string;
  organizationId: string;
  environment: Environment;
  name: string;
  /** Default: all scopes. */
  scopes: readonly Scope[];
  expiresAt: Date | string | null;
  /** UUIDs of the clients and teams to which the key is restricted. */
  restrictedTo: Principal['restrictedTo'];
}

/** Creates an API key, and its organization if necessary. Returns the key as a caller sends it, and its principal. */
export async function insertApiKey(
  sql: SqlRunner,
  { expiresAt = null, scopes = allScopes, ...values }: Partial<ApiKeySeed> = {},
): Promise<{ key: string; principal: Principal }> {
  const principal = testPrincipal({ ...values, scopes: [...scopes] });
  const { id, organizationId, environment, name } = principal;
  const key = newApiKey(environment);
  await insertOrganization(sql, { id: organizationId });
  await insertRows(sql, 'auth.api_keys', [
    {
      id,
      organizationId,
      environment,
      name,
      scopes,
      keyPrefix: keyPrefixOf(key),
      keyHash: credentialHash(key),
      expiresAt,
      clientIds: principal.restrictedTo?.clientIds ?? null,
      teamIds: principal.restrictedTo?.teamIds ?? null,
      createdBy: { type: 'service', id: null, name: 'test' },
    },
  ]);
  return { key, principal };
}

export interface MemberSeed {
  id: string;
  name: string;
  email: string;
  role: 'owner' | 'admin' | 'responder' | 'viewer';
  status: 'active' | 'invited' | 'disabled';
  timezone: string;
  contactMethods: unknown[];
  createdAt: Date | string;
}

export function insertMember(
  sql: SqlRunner,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  values: Partial<MemberSeed> = {},
): Promise<string> {
  const { id = newUuid(), name = 'Mira' } = values;
  const defaults = { email: `${id}@example.com`, role: 'responder', status: 'active' };
  return insertOne(sql, 'auth.members', { id, organizationId, name, ...defaults, ...values });
}

/** A device of a member. What is sealed in it is not readable. */
export async function insertDevice(
  sql: SqlRunner,
  { organizationId }: Pick<Tenant, 'organizationId'>,
  { memberId, name = 'Phone' }: { memberId: string; name?: string },
): Promise<string> {
  const id = newUuid();
  await sql.query(
    `INSERT INTO auth.push_devices (id, organization_id, member_id, name, service, endpoint_hash, subscription, created_at)
     VALUES ($1, $2, $3, $4, 'push.example.com', sha256($1::uuid::text::bytea), 'sealed', now())`,
    [id, organizationId, memberId, name],
  );
  return id;
}

export interface ClientSeed {
  id: string;
  name: string;
  slug: string;
  externalId: string | null;
  aliases: string[];
  timezone: string;
}

/** A client, with the names that identify it in labels. */
export async function insertClient(sql: SqlRunner, tenant: Tenant, values: Partial<ClientSeed> = {}): Promise<string> {
  const { id = newUuid(), slug = id, externalId = null, aliases = [] } = values;
  const defaults = { name: slug, contacts: [], timezone: 'UTC' };
  await insertRows(sql, 'resources.clients', [
    { id, ...tenantOf(tenant), slug, externalId, aliases, ...defaults, ...values },
  ]);
  const names = new Set([slug, ...(externalId ? [externalId] : []), ...aliases].map((name) => name.toLowerCase()));
  await insertRows(
    sql,
    'resources.client_names',
    [...names].map((name) => ({ ...tenantOf(tenant), name, clientId: id })),
  );
  return id;
}

export interface IntegrationSeed {
  id: string;
  name: string;
  type: string;
  enabled: boolean;
  clientId: string | null;
  token: string;
  settings: object;
  dedupScope: 'integration' | 'organization';
  autoResolveAfterSeconds: number | null;
}

export function insertIntegration(
  sql: SqlRunner,
  tenant: Tenant,
  { token = newIngestToken(), ...values }: Partial<IntegrationSeed> = {},
): Promise<string> {
  return insertOne(sql, 'resources.integrations', {
    id: newUuid(),
    ...tenantOf(tenant),
    name: 'Sender',
    type: 'webhook',
    tokenHash: credentialHash(token),
    tokenHint: tokenHintOf(token),
    settings: {},
    dedupScope: 'integration',
    ...values,
  });
}

export interface AlertSeed {
  id: string;
  integrationId: string;
  integrationName: string;
  dedupScope: string;
  partition: number;
  fingerprint: string;
  title: string;
  description: string | null;
  severity: Severity;
  status: AlertStatus;
  source: string | null;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  clientId: string | null;
  incidentId: string | null;
  assigneeId: string | null;
  firstOccurredAt: Date | string;
  lastOccurredAt: Date | string;
  occurrenceCount: number;
  resolvedAt: Date | string | null;
  suppression: object | null;
  createdAt: Date | string;
  updatedAt: Date | string;
}

/** Alerts, by default firing and opened now, counted in `alerts.counts`. */
export async function insertAlerts(sql: SqlRunner, tenant: Tenant, seeds: Partial<AlertSeed>[]): Promise<string[]> {
  const rows = seeds.map(({ severity = 'high', ...values }) => {
    const { id = newUuid(), integrationId = newUuid(), status = 'firing', createdAt = new Date() } = values;
    const defaults: Omit<AlertSeed, 'severity'> = {
      id,
      integrationId,
      integrationName: 'Sender',
      dedupScope: integrationId,
      partition: 0,
      fingerprint: id,
      title: 'High CPU',
      description: null,
      status,
      source: null,
      labels: {},
      annotations: {},
      clientId: null,
      incidentId: null,
      assigneeId: null,
      firstOccurredAt: createdAt,
      lastOccurredAt: createdAt,
      occurrenceCount: 1,
      resolvedAt: status === 'resolved' ? createdAt : null,
      suppression: status === 'suppressed' ? {} : null,
      createdAt,
      updatedAt: createdAt,
    };
    const stored = { ...tenantOf(tenant), severity: rankOf(severity), fingerprintSource: 'explicit', version: 1 };
    return { ...defaults, ...values, ...stored };
  });
  await insertRows(sql, 'alerts.alerts', rows);
  // PostgreSQL has no statistics of new rows for up to a minute, and then plans for a few.
  if (rows.length >= 1000) await sql.query('ANALYZE alerts.alerts');
  const ids = rows.map(({ id }) => id);
  await sql.query(
    `INSERT INTO alerts.counts AS c (organization_id, environment, partition, integration_id, status, severity, n)
     SELECT organization_id, environment, partition, integration_id, status, severity, count(*)
     FROM alerts.alerts WHERE id = ANY($1::uuid[]) GROUP BY 1, 2, 3, 4, 5, 6
     ON CONFLICT (organization_id, environment, partition, integration_id, status, severity)
     DO UPDATE SET n = c.n + excluded.n`,
    [ids],
  );
  return ids;
}

export const insertAlert = async (sql: SqlRunner, tenant: Tenant, seed: Partial<AlertSeed> = {}): Promise<string> =>
  first(await insertAlerts(sql, tenant, [seed]));

export interface IncidentSeed {
  id: string;
  number: number;
  title: string;
  summary: string | null;
  severity: Severity;
  status: IncidentStatus;
  clientId: string | null;
  assigneeIds: string[];
  workflowId: string | null;
  groupKey: string | null;
  autoResolve: boolean;
  alertCount: number;
  openAlertCount: number;
  openedBy: string | null;
  triggeredAt: Date | string;
  resolvedAt: Date | string | null;
  createdAt: Date | string;
  updatedAt: Date | string;
}

/** Incidents, by default triggered now. Numbers come from the counter of the organization, as in the pipeline. */
export async function insertIncidents(
  sql: SqlRunner,
  tenant: Tenant,
  seeds: Partial<IncidentSeed>[],
): Promise<string[]> {
  const without = seeds.filter(({ number }) => number === undefined).length;
  const highest = Math.max(0, ...seeds.map(({ number = 0 }) => number));
  const { rows: counters } = await sql.query(
    `INSERT INTO alerts.incident_numbers AS n (organization_id, last) VALUES ($1, $2::int + $3::int)
     ON CONFLICT (organization_id) DO UPDATE SET last = greatest(n.last, $2::int) + $3::int RETURNING last`,
    [tenant.organizationId, highest, without],
  );
  let next = (counters as { last: number }[])[0]!.last - without;
  const rows = seeds.map(({ severity = 'high', ...values }) => {
    const { status = 'triggered', createdAt = new Date() } = values;
    const defaults: Omit<IncidentSeed, 'severity'> = {
      id: newUuid(),
      number: values.number ?? ++next,
      title: 'Shop is slow',
      summary: null,
      status,
      clientId: null,
      assigneeIds: [],
      workflowId: null,
      groupKey: null,
      autoResolve: false,
      alertCount: 0,
      openAlertCount: 0,
      openedBy: null,
      triggeredAt: createdAt,
      resolvedAt: status === 'resolved' ? createdAt : null,
      createdAt,
      updatedAt: createdAt,
    };
    return { ...defaults, ...values, ...tenantOf(tenant), severity: rankOf(severity), version: 1 };
  });
  await insertRows(sql, 'alerts.incidents', rows);
  return rows.map(({ id }) => id);
}

export const insertIncident = async (
  sql: SqlRunner,
  tenant: Tenant,
  seed: Partial<IncidentSeed> = {},
): Promise<string> => first(await insertIncidents(sql, tenant, [seed]));

export interface SuppressionWindowSeed {
  id: string;
  name: string;
  reason: string | null;
  enabled: boolean;
  matchers: object[];
  clientIds: string[];
  integrationIds: string[];
  exceptSeverities: Severity[];
  matchAll: boolean;
  startsAt: Date | string;
  endsAt: Date | string | null;
  timezone: string;
  rrule: string | null;
  durationSeconds: number | null;
  onEnd: 'resume' | 'resolve';
}

/** A window, by default for one hour from now, that matches nothing by itself. */
export function insertSuppressionWindow(
  sql: SqlRunner,
  tenant: Tenant,
  values: Partial<SuppressionWindowSeed> = {},
): Promise<string> {
  return insertOne(sql, 'resources.suppression_windows', {
    id: newUuid(),
    ...tenantOf(tenant),
    name: 'Maintenance',
    enabled: true,
    matchers: [],
    clientIds: [],
    integrationIds: [],
    exceptSeverities: [],
    matchAll: false,
    startsAt: new Date(),
    endsAt: new Date(Date.now() + hour),
    timezone: 'UTC',
    onEnd: 'resume',
    createdBy: {},
    ...values,
  });
}

export interface WorkflowSeed {
  id: string;
  name: string;
  enabled: boolean;
  events: string[];
  conditions: object | null;
  steps: object[];
}

/** A workflow, by default on `alert.created` without steps. Steps are stored without validation. */
export function insertWorkflow(sql: SqlRunner, tenant: Tenant, values: Partial<WorkflowSeed> = {}): Promise<string> {
  return insertOne(sql, 'resources.workflows', {
    id: newUuid(),
    ...tenantOf(tenant),
    name: 'Page',
    enabled: true,
    events: ['alert.created'],
    steps: [],
    ...values,
  });
}

export interface ScheduleSeed {
  id: string;
  name: string;
  timezone: string;
  layers: object[];
}

export function insertSchedule(sql: SqlRunner, tenant: Tenant, values: Partial<ScheduleSeed> = {}): Promise<string> {
  return insertOne(sql, 'resources.schedules', {
    id: newUuid(),
    ...tenantOf(tenant),
    name: 'Primary',
    timezone: 'UTC',
    layers: [],
    ...values,
  });
}

export interface ScheduleOverrideSeed {
  id: string;
  scheduleId: string;
  memberId: string;
  startsAt: Date | string;
  endsAt: Date | string;
  reason: string | null;
}

/** An override, by default for one hour, starting a minute ago. */
export function insertScheduleOverride(
  sql: SqlRunner,
  tenant: Tenant,
  values: Partial<ScheduleOverrideSeed> & Pick<ScheduleOverrideSeed, 'scheduleId' | 'memberId'>,
): Promise<string> {
  return insertOne(sql, 'resources.schedule_overrides', {
    id: newUuid(),
    ...tenantOf(tenant),
    startsAt: new Date(Date.now() - 60_000),
    endsAt: new Date(Date.now() + hour),
    createdBy: {},
    ...values,
  });
}

function first(ids: string[]): string {
  const [id] = ids;
  if (!id) throw new Error('no row was inserted');
  return id;
}
