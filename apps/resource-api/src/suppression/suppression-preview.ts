/**
 * Which firing alerts of a tenant a window with a scope would suppress. SQL reads the alerts in portions, in the order
 * of the index `alerts_by_state`. It reads a long column only if a matcher names it, and then less at once.
 */
import { severityOfRank, severityRank, uuidsOf, type AlertRow } from '@ams/alerting';
import {
  invalid,
  publicId,
  windowDefaults,
  type SuppressionPreview,
  type Tenant,
  type WindowScope,
} from '@ams/contracts';
import type { Tx, Where } from '@ams/database';
import {
  evaluationBudget,
  evaluationLimits,
  mapInParts,
  windowMatches,
  type AlertFacts,
  type Predicate,
  type SuppressionWindow,
} from '@ams/domain';
import { evaluationTurns } from '@ams/service';
import { alertsThatFit } from '../alerts/alert-queries.js';
import { owned } from '../records/tenant-queries.js';

/** The columns that matchers compare, and those by which the alerts are ordered. */
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

const mostRows = 1000;
/** Of the columns that may be long: the first rows show how long they are. */
const firstRows = 8;
/** What a portion has at most, as long as its rows are like those of the one before, in characters. */
const portionChars = 128 * 1024;
const shown = 50;
/** Steps of comparing all alerts: about 60 ms of work. Matchers of common texts need a thirtieth. */
const previewSteps = 6_000_000;

/** Throws VALIDATION_ERROR when the comparison would take too long. */
export async function suppressionPreview(tx: Tx, tenant: Tenant, scope: WindowScope): Promise<SuppressionPreview> {
  const now = new Date().toISOString();
  const window = { ...windowDefaults, id: '', startsAt: now, ...scope } as SuppressionWindow;
  const around = { client: null, integration: null, incident: null, now };
  let total = 0;
  let left = previewSteps;
  let newest: FactsRow[] = [];
  const owner = { organizationId: tenant.organizationId, record: 'suppression preview' };
  await evaluationTurns.turn(owner);
  for await (const rows of firingAlerts(tx, tenant, scope)) {
    const results = await evaluationTurns.run(
      owner,
      mapInParts(rows, (row) => {
        if (left <= 0) return false;
        const budget = evaluationBudget();
        const matches = windowMatches(window, { ...around, alert: factsOf(row) }, budget);
        left -= evaluationLimits.alone - budget.left;
        return matches;
      }),
    );
    if (left <= 0)
      throw invalid(
        'matchers',
        'complexity',
        'matchers take too long to compare with the firing alerts. Simplify them.',
      );
    const matching = rows.filter((_row, index) => results[index]);
    total += matching.length;
    newest = [...newest, ...matching].sort(newestFirst).slice(0, shown);
  }
  const ids = newest.map(({ id }) => id);
  const { data } = await alertsThatFit(tx, tenant, ids, firstRows);
  return { total, alerts: data };
}

const newestFirst = (a: FactsRow, b: FactsRow): number =>
  b.last_occurred_at.getTime() - a.last_occurred_at.getTime() || (a.id < b.id ? 1 : -1);

async function* firingAlerts(tx: Tx, tenant: Tenant, scope: WindowScope): AsyncGenerator<FactsRow[]> {
  const { columns, hasLong } = factsColumns(scope.matchers ?? []);
  let limit = hasLong ? firstRows : mostRows;
  for (let last: FactsRow | undefined; ;) {
    const where = candidates(tenant, scope);
    if (last)
      where.and(
        '(severity, last_occurred_at, id) < (?::smallint, ?::timestamptz, ?::uuid)',
        last.severity,
        last.last_occurred_at,
        last.id,
      );
    const rows = await tx.query<FactsRow>(
      `SELECT ${columns} FROM alerts_views.alerts WHERE ${where.toString()}
       ORDER BY severity DESC, last_occurred_at DESC, id DESC LIMIT ${limit}`,
      where.params,
    );
    yield rows;
    last = rows[limit - 1];
    if (!last) return;
    limit = rowsAfter(rows);
  }
}

/** How many rows to read next: one alert has thirty characters, another one 160,000. */
export function rowsAfter(rows: readonly Pick<FactsRow, 'description' | 'labels' | 'annotations'>[]): number {
  const chars = rows.reduce((sum, row) => sum + charsOf(row), 0);
  return Math.min(mostRows, Math.max(1, Math.floor((portionChars * rows.length) / Math.max(1, chars))));
}

const charsOf = ({ description, labels, annotations }: Parameters<typeof rowsAfter>[0][number]): number =>
  [description ?? '', ...Object.values(labels), ...Object.values(annotations)].reduce(
    (sum, { length }) => sum + length,
    0,
  );

/** What SQL can decide of a scope, so that fewer alerts are read. */
function candidates(tenant: Tenant, scope: WindowScope): Where {
  const { matchers = [], clientIds = [], integrationIds = [], exceptSeverities = [] } = scope;
  const where = owned(tenant).and("status = 'firing'");
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

/** Columns that may be long, each with the value that replaces it when no matcher names it. */
const longColumns = { description: 'NULL', labels: `'{}'::jsonb`, annotations: `'{}'::jsonb` };

function factsColumns(matchers: Predicate[]): { columns: string; hasLong: boolean } {
  const isNamed = (column: string): boolean =>
    matchers.some(({ field }) => field === column || field.startsWith(`${column}.`));
  const optional = Object.entries(longColumns).map(([column, absent]) =>
    isNamed(column) ? column : `${absent} AS ${column}`,
  );
  const columns = [
    'id, title, severity, source, fingerprint, client_id, integration_id, incident_id, assignee_id',
    'occurrence_count, last_occurred_at',
    ...optional,
  ].join(', ');
  return { columns, hasLong: Object.keys(longColumns).some(isNamed) };
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
