/**
 * Suppression windows as the API keeps them; the pipeline sees the same rows and makes the alerts quiet. The status of a
 * window follows from its settings and the time, which is that of the database: it is computed, never stored.
 */
import {
  newUuid,
  publicId,
  windowDefaults,
  windowFaults,
  type Actor,
  type FieldFault,
  type Input,
  type ListSuppressionQuery,
  type Page,
  type PostSuppressionWindow,
  type Principal,
  type PutSuppressionWindow,
  type SuppressionPreview,
  type SuppressionWindow,
  type WindowScope,
} from '@ams/contracts';
import {
  alertColumns,
  alertFromRow,
  severityOfRank,
  severityRank,
  uuidsOf,
  windowFromRow,
  type AlertRow,
} from '@ams/alerting';
import { Database, actorOf, containing, fitting, withIdempotency, page, type Tx, type Where } from '@ams/database';
import {
  windowMatches,
  windowStatus,
  type AlertFacts,
  type Predicate,
  type Severity,
  type SuppressionWindow as Window,
  type WindowEnd,
  type WindowStatus,
} from '@ams/domain';
import { Injectable } from '@nestjs/common';
import {
  count,
  find,
  lock,
  newsBetween,
  owned,
  patched,
  sortBy,
  recordAudit,
  throwFaults,
  type Table,
} from '../records/tenant-records.js';

type None = Record<string, never>;

/** What the status of a window follows from. */
interface TimingRow {
  id: string;
  version: number;
  enabled: boolean;
  starts_at: Date;
  ends_at: Date | null;
  timezone: string;
  rrule: string | null;
  duration_seconds: number | null;
  /** By the clock of the database. */
  now: Date;
}

interface Row extends TimingRow {
  name: string;
  reason: string | null;
  matchers: Predicate[];
  client_ids: string[];
  integration_ids: string[];
  except_severities: Severity[];
  match_all: boolean;
  on_end: WindowEnd;
  created_by: Actor;
  created_at: Date;
  updated_at: Date;
  suppressed_count: number;
}

/** What a caller decides of a window, all of it, in the form of the record. */
type Settings = Required<PutSuppressionWindow>;

const timingColumns = 'id, version, enabled, starts_at, ends_at, timezone, rrule, duration_seconds, now() AS now';

const suppressedCount = `(
  SELECT coalesce(sum(c.n), 0)::float8 FROM alerts_views.window_counts c
  WHERE c.organization_id = suppression_windows.organization_id AND c.environment = suppression_windows.environment AND c.window_id = suppression_windows.id
)`;

const table: Table = {
  name: 'resources.suppression_windows',
  noun: 'suppressionWindow',
  resource: 'suppression_window',
  columns:
    `${timingColumns}, name, reason, matchers, client_ids, integration_ids, except_severities, match_all, on_end, created_by, created_at, updated_at, ` +
    `${suppressedCount} AS suppressed_count`,
};

const sorts = {
  name: { column: 'name', type: 'text' },
  createdAt: { column: 'created_at', type: 'time' },
  startsAt: { column: 'starts_at', type: 'time' },
} as const;

/** They change without anybody changing the window. */
const unaudited = ['status', 'suppressedCount'];

@Injectable()
export class SuppressionService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListSuppressionQuery, undefined>): Promise<Page<SuppressionWindow>> {
    const { limit, cursor, ...filters } = input.query;
    return this.database.readAs(input.principal, async (tx) => {
      const where = owned(table, input.principal);
      if (filters.clientId) where.and('client_ids && ?::uuid[]', uuidsOf('client', filters.clientId));
      if (filters.integrationId)
        where.and('integration_ids && ?::uuid[]', uuidsOf('integration', filters.integrationId));
      if (filters.q) where.and('name ILIKE ?', containing(filters.q));
      if (filters.since) where.and('starts_at >= ?', new Date(filters.since));
      if (filters.until) where.and('starts_at < ?', new Date(filters.until));
      if (filters.status) where.and('id = ANY(?::uuid[])', await idsWithStatus(tx, where, filters.status));
      return page<Row, SuppressionWindow>(tx, {
        select: table.columns,
        from: table.name,
        where,
        sort: sortBy(filters.sort ?? '-createdAt', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['suppression', filters],
        total: () => count(tx, table.name, where),
        item: recordOf,
      });
    });
  }

  get(input: Input<None, undefined>): Promise<SuppressionWindow> {
    return this.database.readAs(input.principal, async (tx) => recordOf(await find<Row>(tx, table, input)));
  }

  create(input: Input<None, PostSuppressionWindow>): Promise<SuppressionWindow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const settings = { ...windowDefaults, ...inUtc(body) } as Settings;
        throwFaults([...sizeFaults(settings), ...(await unknownNames(tx, principal, body, 'FOR SHARE'))]);
        const at = new Date();
        const created = recordOf(await insertWindow(tx, principal, settings, at));
        await recordAudit(tx, input, 'suppression_window.created', {
          resource: table.resource,
          id: created.id,
          before: null,
          after: created,
          ignore: unaudited,
          at,
        });
        return created;
      }),
    );
  }

  update(input: Input<None, PutSuppressionWindow>): Promise<SuppressionWindow> {
    const { body, principal } = input;
    return this.database.writeAs(principal, async (tx) => {
      const row = await lock<Row>(tx, table, input);
      const before = recordOf(row);
      const merged = { ...before, ...inUtc(body), matchers: patched(before.matchers, body.matchers) };
      // What it names already cannot be deleted; only what is sent has to be looked for.
      throwFaults([
        ...windowFaults({ ...merged }),
        ...sizeFaults(merged),
        ...(await unknownNames(tx, principal, body, 'FOR SHARE')),
      ]);
      if (newsBetween(before, merged, unaudited).length === 0) return before;
      const at = new Date();
      const after: SuppressionWindow = {
        ...merged,
        status: windowStatus(merged, row.now.toISOString()),
        updatedAt: at.toISOString(),
        version: before.version + 1,
      };
      await tx.query(
        `UPDATE resources.suppression_windows SET name = $2, reason = $3, enabled = $4, matchers = $5, client_ids = $6, integration_ids = $7, except_severities = $8,
           match_all = $9, starts_at = $10, ends_at = $11, timezone = $12, rrule = $13, duration_seconds = $14, on_end = $15, updated_at = $16, version = $17
         WHERE id = $1`,
        [...valuesOf(row.id, after, at), after.version],
      );
      await recordAudit(tx, input, 'suppression_window.updated', {
        resource: table.resource,
        id: after.id,
        before,
        after,
        ignore: unaudited,
        at,
      });
      return after;
    });
  }

  async delete(input: Input<None, undefined>): Promise<void> {
    await this.database.writeAs(input.principal, async (tx) => {
      const row = await lock<Row>(tx, table, input);
      await tx.query('DELETE FROM resources.suppression_windows WHERE id = $1', [row.id]);
      const before = recordOf(row);
      await recordAudit(tx, input, 'suppression_window.deleted', {
        resource: table.resource,
        id: before.id,
        before,
        after: null,
        ignore: unaudited,
        at: new Date(),
      });
    });
  }

  preview(input: Input<None, WindowScope>): Promise<SuppressionPreview> {
    const { body, principal, idempotency } = input;
    const work = async (tx: Tx): Promise<SuppressionPreview> => {
      throwFaults(await unknownNames(tx, principal, body, ''));
      return wouldHide(tx, principal, body);
    };
    if (!idempotency) return this.database.readAs(principal, work);
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, idempotency, () => work(tx)),
    );
  }
}

// --- Records ----------------------------------------------------------------------------------------------------------

const recordOf = (row: Row): SuppressionWindow => ({
  ...windowFromRow(row),
  name: row.name,
  reason: row.reason,
  status: statusOf(row),
  suppressedCount: row.suppressed_count,
  createdBy: row.created_by,
  createdAt: row.created_at.toISOString(),
  updatedAt: row.updated_at.toISOString(),
  version: row.version,
});

/** $1 to $16 of both statements that write a window. */
const valuesOf = (uuid: string, settings: Settings, at: Date): unknown[] => [
  uuid,
  settings.name,
  settings.reason,
  settings.enabled,
  JSON.stringify(settings.matchers),
  uuidsOf('client', settings.clientIds),
  uuidsOf('integration', settings.integrationIds),
  settings.exceptSeverities,
  settings.matchAll,
  settings.startsAt,
  settings.endsAt,
  settings.timezone,
  settings.rrule,
  settings.durationSeconds,
  settings.onEnd,
  at,
];

async function insertWindow(tx: Tx, principal: Principal, settings: Settings, at: Date): Promise<Row> {
  const [row] = await tx.query<Row>(
    `INSERT INTO resources.suppression_windows (id, name, reason, enabled, matchers, client_ids, integration_ids, except_severities, match_all, starts_at, ends_at,
       timezone, rrule, duration_seconds, on_end, updated_at, created_at, organization_id, environment, created_by)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $16, $17, $18, $19) RETURNING ${table.columns}`,
    [
      ...valuesOf(newUuid(at.getTime()), settings, at),
      principal.organizationId,
      principal.environment,
      JSON.stringify(actorOf(principal)),
    ],
  );
  if (!row) throw new Error('a row that was inserted is not there');
  return row;
}

// --- Status -----------------------------------------------------------------------------------------------------------

/**
 * The times of windows as they were read last, by id. The same version is the same object, whose rule is read once: one
 * with a COUNT may take 60 ms, and a page has a hundred. Only what is committed, or new, may come in here: after a roll-back
 * the same version could be another window.
 */
const known = new Map<string, { version: number; window: Window }>();
const knownLimit = 10_000;

function windowOf(row: TimingRow): Window {
  const present = known.get(row.id);
  if (present?.version === row.version) return present.window;
  if (known.size >= knownLimit) known.clear();
  const window: Window = {
    id: row.id,
    enabled: row.enabled,
    matchers: [],
    clientIds: [],
    integrationIds: [],
    exceptSeverities: [],
    matchAll: true,
    onEnd: 'resume',
    startsAt: row.starts_at.toISOString(),
    endsAt: row.ends_at?.toISOString() ?? null,
    timezone: row.timezone,
    rrule: row.rrule,
    durationSeconds: row.duration_seconds,
  };
  known.set(row.id, { version: row.version, window });
  return window;
}

const statusOf = (row: TimingRow): WindowStatus => windowStatus(windowOf(row), row.now.toISOString());

async function idsWithStatus(tx: Tx, where: Where, wanted: WindowStatus[]): Promise<string[]> {
  const rows = await tx.query<TimingRow>(
    `SELECT ${timingColumns} FROM ${table.name} WHERE ${where.toString()}`,
    where.params,
  );
  return rows.filter((row) => wanted.includes(statusOf(row))).map(({ id }) => id);
}

// --- What is sent -----------------------------------------------------------------------------------------------------

const utc = (instant: string): string => new Date(instant).toISOString();

/** With times as they are stored and answered. */
const inUtc = <Body extends PutSuppressionWindow>(body: Body): Body => ({
  ...body,
  ...(body.startsAt === undefined ? {} : { startsAt: utc(body.startsAt) }),
  ...(body.endsAt ? { endsAt: utc(body.endsAt) } : {}),
});

/** The log of a change holds the matchers twice, and travels in one message of the broker. */
const maxMatcherBytes = 256 * 1024;

const sizeFaults = ({ matchers }: Settings): FieldFault[] =>
  Buffer.byteLength(JSON.stringify(matchers)) > maxMatcherBytes
    ? [{ path: 'matchers', rule: 'maxBytes', message: `matchers must have at most ${maxMatcherBytes} bytes together` }]
    : [];

/** In the order in which they are locked, which is that of whoever changes an integration: its own row, then its client's. */
const named = [
  { field: 'integrationIds', noun: 'integration', from: 'resources.integrations' },
  { field: 'clientIds', noun: 'client', from: 'resources.clients' },
] as const;

/**
 * A fault for each id that is of no client or integration of the tenant. With FOR SHARE the others cannot be deleted before
 * the transaction has ended: whoever deletes one waits, and sees what names it.
 */
async function unknownNames(
  tx: Tx,
  principal: Principal,
  scope: WindowScope,
  locking: '' | 'FOR SHARE',
): Promise<FieldFault[]> {
  const faults: FieldFault[] = [];
  for (const { field, noun, from } of named) {
    const ids = scope[field] ?? [];
    const where = owned({ only: 'deleted_at IS NULL' }, principal).and('id = ANY(?::uuid[])', uuidsOf(noun, ids));
    const rows =
      ids.length === 0
        ? []
        : await tx.query<{ id: string }>(
            `SELECT id FROM ${from} WHERE ${where.toString()} ORDER BY id ${locking}`,
            where.params,
          );
    const present = new Set(rows.map(({ id }) => publicId(noun, id)));
    faults.push(
      ...ids.flatMap((id, i) =>
        present.has(id)
          ? []
          : [{ path: `${field}[${i}]`, rule: 'exists', message: `there is no ${noun} with the id ${id}` }],
      ),
    );
  }
  return faults;
}

// --- Preview ----------------------------------------------------------------------------------------------------------

/** What conditions are asked about, and the place of the alert in the order in which alerts are read. */
type FactsRow = Pick<
  AlertRow,
  | 'id'
  | 'title'
  | 'description'
  | 'severity'
  | 'source'
  | 'fingerprint'
  | 'labels'
  | 'annotations'
  | 'client_id'
  | 'integration_id'
  | 'incident_id'
  | 'assignee_id'
  | 'occurrence_count'
  | 'last_occurred_at'
>;

const chunkSize = 1000;
const shown = 50;

/** Which firing alerts of the tenant a window with this scope matches. */
async function wouldHide(tx: Tx, principal: Principal, scope: WindowScope): Promise<SuppressionPreview> {
  const now = new Date().toISOString();
  const window = { ...windowDefaults, id: '', startsAt: now, ...scope } as Window;
  const facts = { client: null, integration: null, incident: null, now };
  let total = 0;
  let newest: FactsRow[] = [];
  for await (const rows of firingAlerts(tx, principal, scope)) {
    const matching = rows.filter((row) => windowMatches(window, { ...facts, alert: factsOf(row) }));
    total += matching.length;
    newest = [...newest, ...matching].sort(newestFirst).slice(0, shown);
  }
  const where = owned({}, principal).and(
    'id = ANY(?::uuid[])',
    newest.map(({ id }) => id),
  );
  const alerts = await tx.query<AlertRow>(
    `SELECT ${alertColumns} FROM alerts_views.alerts WHERE ${where.toString()} ORDER BY last_occurred_at DESC, id DESC`,
    where.params,
  );
  return { total, alerts: fitting(alerts.map(alertFromRow)) };
}

const newestFirst = (a: FactsRow, b: FactsRow): number =>
  b.last_occurred_at.getTime() - a.last_occurred_at.getTime() || (a.id < b.id ? 1 : -1);

/** Chunk by chunk, in the order of the index `alerts_by_state`, so that no chunk has to be sorted. */
async function* firingAlerts(tx: Tx, principal: Principal, scope: WindowScope): AsyncGenerator<FactsRow[]> {
  const columns = factsColumns(scope.matchers ?? []);
  for (let last: FactsRow | undefined; ;) {
    const where = candidates(principal, scope);
    if (last)
      where.and(
        '(severity, last_occurred_at, id) < (?::smallint, ?::timestamptz, ?::uuid)',
        last.severity,
        last.last_occurred_at,
        last.id,
      );
    const rows = await tx.query<FactsRow>(
      `SELECT ${columns} FROM alerts_views.alerts WHERE ${where.toString()} ORDER BY severity DESC, last_occurred_at DESC, id DESC LIMIT ${chunkSize}`,
      where.params,
    );
    yield rows;
    last = rows[chunkSize - 1];
    if (!last) return;
  }
}

/** What SQL can say of a scope, so that not every firing alert has to be fetched to be looked at. */
function candidates(
  principal: Principal,
  { matchers = [], clientIds = [], integrationIds = [], exceptSeverities = [] }: WindowScope,
): Where {
  const where = owned({}, principal).and("status = 'firing'");
  if (clientIds.length > 0) where.and('client_id = ANY(?::uuid[])', uuidsOf('client', clientIds));
  if (integrationIds.length > 0) where.and('integration_id = ANY(?::uuid[])', uuidsOf('integration', integrationIds));
  if (exceptSeverities.length > 0) where.and('severity <> ALL(?::smallint[])', exceptSeverities.map(severityRank));
  const labels = matchers.filter(
    ({ field, op, value }) => op === 'eq' && field.startsWith('labels.') && typeof value === 'string',
  );
  for (const { field, value } of labels)
    where.and('labels @> ?::jsonb', JSON.stringify({ [field.slice('labels.'.length)]: value }));
  return where;
}

/** What may be long, by its column, and what is read in its place when no matcher names it. */
const bulky = { description: 'NULL', labels: `'{}'::jsonb`, annotations: `'{}'::jsonb` };

function factsColumns(matchers: Predicate[]): string {
  const isNamed = (column: string): boolean =>
    matchers.some(({ field }) => field === column || field.startsWith(`${column}.`));
  const optional = Object.entries(bulky).map(([column, absent]) =>
    isNamed(column) ? column : `${absent} AS ${column}`,
  );
  return [
    'id, title, severity, source, fingerprint, client_id, integration_id, incident_id, assignee_id, occurrence_count, last_occurred_at',
    ...optional,
  ].join(', ');
}

const factsOf = (row: FactsRow): AlertFacts => ({
  title: row.title,
  description: row.description,
  severity: severityOfRank(row.severity),
  status: 'firing',
  source: row.source,
  fingerprint: row.fingerprint,
  labels: row.labels,
  annotations: row.annotations,
  clientId: publicId('client', row.client_id),
  integrationId: publicId('integration', row.integration_id),
  incidentId: publicId('incident', row.incident_id),
  assigneeId: publicId('member', row.assignee_id),
  occurrenceCount: row.occurrence_count,
});
