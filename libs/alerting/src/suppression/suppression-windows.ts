/**
 * The suppression windows of some tenants, read for every batch of events. They are read from the published view of the
 * owner in the transaction that needs them. So a window suppresses the first event after its creation was answered, and
 * no copy can be out of date.
 */
import { publicId, type Tenant } from '@ams/contracts';
import {
  activeUntil,
  considerWindows,
  SharedBudgets,
  suppressingAmong,
  type AlertState,
  type ConditionFacts,
  type ConsideredWindow,
  type SuppressingWindow,
  type Predicate,
  type Severity,
  type SuppressionWindow,
} from '@ams/domain';
import { alertFactsOf, type AlertRecord } from '../alerts/alert-record.js';
import type { Tx } from '@ams/database';

/** A row of `resources_views.suppression_windows`. */
export interface WindowRow {
  id: string;
  organization_id: string;
  environment: string;
  name: string;
  enabled: boolean;
  matchers: Predicate[];
  client_ids: string[];
  integration_ids: string[];
  except_severities: Severity[];
  match_all: boolean;
  starts_at: Date;
  ends_at: Date | null;
  timezone: string;
  rrule: string | null;
  duration_seconds: number | null;
  until_time: string | null;
  excluded_dates: string[];
  on_end: 'resume' | 'resolve';
  version: number;
}

export const windowColumns = [
  'id',
  'organization_id',
  'environment',
  'name',
  'enabled',
  'matchers',
  'client_ids',
  'integration_ids',
  'except_severities',
  'match_all',
  'starts_at',
  'ends_at',
  'timezone',
  'rrule',
  'duration_seconds',
  'until_time',
  'excluded_dates',
  'on_end',
  'version',
] as const;

/** The rule and times of a window, without its name. */
export const windowFromRow = (
  row: Omit<WindowRow, 'organization_id' | 'environment' | 'name' | 'version'>,
): SuppressionWindow => ({
  id: publicId('suppressionWindow', row.id),
  enabled: row.enabled,
  matchers: row.matchers,
  clientIds: row.client_ids.map((id) => publicId('client', id)),
  integrationIds: row.integration_ids.map((id) => publicId('integration', id)),
  exceptSeverities: row.except_severities,
  matchAll: row.match_all,
  startsAt: row.starts_at.toISOString(),
  endsAt: row.ends_at?.toISOString() ?? null,
  timezone: row.timezone,
  rrule: row.rrule,
  durationSeconds: row.duration_seconds,
  untilTime: row.until_time,
  excludedDates: row.excluded_dates,
  onEnd: row.on_end,
});

/** A window with its name. */
interface NamedWindow {
  name: string;
  window: SuppressionWindow;
}

/**
 * The windows that were read last, by id. The same version is the same object, so its rule is parsed once. `window` is
 * null when the window cannot be parsed.
 */
const known = new Map<string, { version: number; name: string; window: SuppressionWindow | null }>();
const knownLimit = 10_000;

/**
 * Null when this release does not know the recurrence rule or the time zone. Such a window suppresses no alert:
 * otherwise every event of the tenant would be set aside.
 */
export function readWindow(row: WindowRow): SuppressionWindow | null {
  const present = known.get(row.id);
  if (present?.version === row.version) return present.window;
  if (known.size >= knownLimit) known.clear();
  const read = windowFromRow(row);
  const window = isReadable(read) ? read : null;
  known.set(row.id, { version: row.version, name: row.name, window });
  return window;
}

function isReadable(window: SuppressionWindow): boolean {
  try {
    activeUntil(window, window.startsAt);
    return true;
  } catch {
    return false;
  }
}

/**
 * The values that a window compares. A suppressed alert is compared with its earlier status: otherwise a window for
 * firing alerts would resume the alerts that it suppresses.
 */
export const windowFactsOf = (record: Omit<AlertRecord, 'state'>, state: AlertState, now: string): ConditionFacts => ({
  alert: { ...alertFactsOf(record, state), status: state.suppression?.priorStatus ?? state.status },
  client: null,
  integration: null,
  incident: null,
  now,
});

/** Ids and versions only: a tenant may have a thousand windows, and most of them are known from the last batch. */
const findWindows = {
  name: 'find windows',
  text: `SELECT coalesce($2::timestamptz, clock_timestamp()) AS now, w.found FROM (
     SELECT json_agg(json_build_array(w.organization_id, w.environment, w.id, w.version)) AS found
     FROM json_to_recordset($1::json) AS k(o uuid, e text), LATERAL (
       SELECT * FROM resources_views.suppression_windows
       WHERE organization_id = k.o AND environment = k.e AND enabled
         AND (rrule IS NOT NULL OR ends_at > coalesce($2::timestamptz, clock_timestamp())) OFFSET 0) AS w
   ) AS w`,
};
const readWindows = {
  name: 'read windows',
  text: `SELECT ${windowColumns.join(', ')} FROM resources_views.suppression_windows WHERE id = ANY($1::uuid[])`,
};

type Found = [organizationId: string, environment: string, id: string, version: number];

/** The windows by id, without those that were deleted meanwhile or cannot be parsed. */
async function contentsOf(tx: Tx, found: Found[]): Promise<Map<string, NamedWindow>> {
  const contents = new Map<string, NamedWindow>();
  const news: string[] = [];
  for (const [, , id, version] of found) {
    const present = known.get(id);
    if (present?.version !== version) news.push(id);
    else if (present.window) contents.set(id, { name: present.name, window: present.window });
  }
  if (news.length === 0) return contents;
  for (const row of await tx.query<WindowRow>(readWindows, [news])) {
    const window = readWindow(row);
    if (window) contents.set(row.id, { name: row.name, window });
  }
  return contents;
}

const keyOf = ({ organizationId, environment }: Tenant): string => `${organizationId} ${environment}`;

/** An active window, as the record of an event stores it. */
export interface WindowRecord {
  windowId: string;
  name: string;
  matched: boolean;
  /** When it ends. */
  until: string;
  /** It could not be evaluated, and so did not match. */
  undecided?: true;
}

/** The number of windows that are stored with an event: matching ones first, then those that end last. */
const keptPerEvent = 20;

/** The results of the active windows for an alert. */
export interface WindowsConsidered {
  suppressing: SuppressingWindow | null;
  considered: WindowRecord[];
}

const none: WindowsConsidered = { suppressing: null, considered: [] };

export class Windows {
  private constructor(
    /** The time by the clock of the database: the clocks of replicas may differ. */
    readonly now: Date,
    private readonly byTenant: ReadonlyMap<string, NamedWindow[]>,
    private readonly budgets = new SharedBudgets(),
  ) {}

  /** The same windows, for further alerts: the work of comparing alerts with them is limited for each instance. */
  forFurtherAlerts(): Windows {
    return new Windows(this.now, this.byTenant);
  }

  /** The windows of these tenants that are active now, or at the time of a simulation. */
  static async of(tx: Tx, tenants: Iterable<Tenant>, imagined: Date | null = null): Promise<Windows> {
    const distinct = [...new Map([...tenants].map((tenant) => [keyOf(tenant), tenant])).values()];
    if (distinct.length === 0) return new Windows(new Date(0), new Map());
    const [row] = await tx.query<{ now: Date; found: Found[] | null }>(findWindows, [
      JSON.stringify(distinct.map(({ organizationId: o, environment: e }) => ({ o, e }))),
      imagined,
    ]);
    const { now, found } = row as { now: Date; found: Found[] | null };
    const contents = await contentsOf(tx, found ?? []);
    const at = now.toISOString();
    const byTenant = new Map<string, NamedWindow[]>();
    for (const [organizationId, environment, id] of found ?? []) {
      const named = contents.get(id);
      if (!named || activeUntil(named.window, at) === null) continue;
      const key = `${organizationId} ${environment}`;
      byTenant.set(key, [...(byTenant.get(key) ?? []), named]);
    }
    return new Windows(now, byTenant);
  }

  /** The window that suppresses the alert with these values now (that which ends last), and all considered windows. */
  consider(record: Omit<AlertRecord, 'state'>, state: AlertState): WindowsConsidered {
    const named = this.byTenant.get(keyOf(record));
    if (!named) return none;
    const now = this.now.toISOString();
    const windows = named.map(({ window }) => window);
    const facts = windowFactsOf(record, state, now);
    const considered = this.budgets.evaluate(keyOf(record), (budget) => considerWindows(windows, facts, now, budget));
    const suppressing = suppressingAmong(considered);
    return {
      suppressing: suppressing && { windowId: suppressing.window.id, until: suppressing.until },
      considered: recordsOf(considered, named),
    };
  }

  suppressingWindowOf(record: Omit<AlertRecord, 'state'>, state: AlertState): SuppressingWindow | null {
    return this.consider(record, state).suppressing;
  }
}

function recordsOf(considered: ConsideredWindow[], named: NamedWindow[]): WindowRecord[] {
  const names = new Map(named.map(({ name, window }) => [window.id, name]));
  return considered
    .sort((a, b) => Number(b.matches) - Number(a.matches) || b.until - a.until)
    .slice(0, keptPerEvent)
    .map(({ window, until, matches, undecided }) => ({
      windowId: window.id,
      name: names.get(window.id) ?? '',
      matched: matches,
      until: new Date(until).toISOString(),
      ...(undecided && { undecided }),
    }));
}
