/** Suppression windows, written as the resource API writes them. */
import { newUuid } from '@ams/contracts';
import type { Predicate, Severity } from '@ams/domain';
import { eventually } from '@ams/testing';
import type pg from 'pg';

export interface WindowValues {
  enabled: boolean;
  matchers: Predicate[];
  clientIds: string[];
  integrationIds: string[];
  exceptSeverities: Severity[];
  /** Seconds from now, by the clock of the database. */
  begins: number;
  ends: number | null;
  rrule: string | null;
  durationSeconds: number | null;
  onEnd: 'resume' | 'resolve';
}

export interface TestWindows {
  /** Creates a window. By default it began a minute ago and ends in an hour. Returns its UUID. */
  insert(
    tenant: { organizationId: string; environment: 'live' | 'test' },
    values?: Partial<WindowValues>,
  ): Promise<string>;
  change(id: string, values: Partial<WindowValues>): Promise<unknown>;
  delete(id: string): Promise<unknown>;
  /** Settles when the window, as it is now, has been applied to all alerts. */
  applied(id: string): Promise<void>;
  /** Whether a replica checks the window, as it is now. */
  isClaimed(id: string): Promise<boolean>;
}

const defaults: WindowValues = {
  enabled: true,
  matchers: [],
  clientIds: [],
  integrationIds: [],
  exceptSeverities: [],
  begins: -60,
  ends: 3600,
  rrule: null,
  durationSeconds: null,
  onEnd: 'resume',
};

const fromNow = (param: string): string =>
  `date_trunc('milliseconds', clock_timestamp()) + ${param}::float8 * interval '1 s'`;
const unconverted = (param: string): string => param;

const columns: Record<keyof WindowValues, { name: string; sql: (param: string) => string }> = {
  enabled: { name: 'enabled', sql: unconverted },
  matchers: { name: 'matchers', sql: unconverted },
  clientIds: { name: 'client_ids', sql: unconverted },
  integrationIds: { name: 'integration_ids', sql: unconverted },
  exceptSeverities: { name: 'except_severities', sql: unconverted },
  begins: { name: 'starts_at', sql: fromNow },
  ends: { name: 'ends_at', sql: fromNow },
  rrule: { name: 'rrule', sql: unconverted },
  durationSeconds: { name: 'duration_seconds', sql: unconverted },
  onEnd: { name: 'on_end', sql: unconverted },
};

const columnsOf = (values: Partial<WindowValues>) =>
  (Object.keys(values) as (keyof WindowValues)[]).map((key) => columns[key]);
const paramsOf = ({ matchers, ...values }: Partial<WindowValues>, order: Partial<WindowValues>): unknown[] =>
  Object.keys(order).map((key) => (key === 'matchers' ? JSON.stringify(matchers) : values[key as keyof typeof values]));

export const testWindows = (admin: pg.Pool): TestWindows => ({
  async insert({ organizationId, environment }, values = {}) {
    const id = newUuid();
    const whole = { ...defaults, ...values };
    const names = columnsOf(whole).map(({ name }) => name);
    const params = columnsOf(whole).map(({ sql }, i) => sql(`$${i + 4}`));
    await admin.query(
      `INSERT INTO resources.suppression_windows
         (id, organization_id, environment, name, match_all, timezone, created_by, ${names.join(', ')})
       VALUES ($1, $2, $3, 'window', true, 'UTC', '{}', ${params.join(', ')})`,
      [id, organizationId, environment, ...paramsOf(whole, whole)],
    );
    return id;
  },

  change: (id, values) =>
    admin.query(
      `UPDATE resources.suppression_windows SET version = version + 1, ${columnsOf(values)
        .map(({ name, sql }, i) => `${name} = ${sql(`$${i + 2}`)}`)
        .join(', ')} WHERE id = $1`,
      [id, ...paramsOf(values, values)],
    ),

  delete: (id) => admin.query('DELETE FROM resources.suppression_windows WHERE id = $1', [id]),

  applied: (id) =>
    eventually(async () => {
      const { rows } = await admin.query(
        'SELECT boundary > clock_timestamp() AS done FROM alerts.window_watch WHERE window_id = $1',
        [id],
      );
      expect(rows).toEqual([{ done: true }]);
    }),

  async isClaimed(id) {
    const { rows } = await admin.query(
      "SELECT 1 FROM alerts.window_watch WHERE window_id = $1 AND boundary = '-infinity' AND look_at > '-infinity'",
      [id],
    );
    return rows.length > 0;
  },
});
