/**
 * What PostgreSQL did from the end of a fault until the installation had recovered, by `pg_stat_statements`
 * (https://www.postgresql.org/docs/current/pgstatstatements.html). For `--statements` only: it costs a little.
 */
import { eventually } from '@ams/testing';
import type { System } from '../system.js';

export const statementSettings = {
  shared_preload_libraries: 'pg_stat_statements',
  'pg_stat_statements.track_planning': 'on',
  'pg_stat_statements.max': 10_000,
};

/** For each second since `began`: the runs that have begun, the notifications that were made, and those that have ended. */
export async function progressOf(system: System, began: Date): Promise<string> {
  const rows = await system.sql<{ second: number; runs: number; made: number; ended: number }>(
    `WITH times AS (
       SELECT created_at AS at, 1 AS run, 0 AS made, 0 AS ended FROM workflows.runs
       UNION ALL SELECT created_at, 0, 1, 0 FROM workflows.notifications
       UNION ALL SELECT updated_at, 0, 0, 1 FROM workflows.notifications WHERE status <> 'queued')
     SELECT floor(extract(epoch FROM at - $1::timestamptz))::int AS second, sum(run)::int AS runs, sum(made)::int AS made,
       sum(ended)::int AS ended FROM times WHERE at >= $1 GROUP BY 1 ORDER BY 1`,
    [began],
  );
  const line = ({ second, runs, made, ended }: (typeof rows)[number]): string =>
    [second, runs, made, ended].map((figure) => String(figure).padStart(8)).join('');
  return ['  second    runs    made   ended', ...rows.map(line)].join('\n');
}

interface StatementRow {
  role: string;
  calls: number;
  plans: number;
  planMs: number;
  executeMs: number;
  text: string;
}

/** Forgets what was counted before, as soon as the database answers. */
export const beginCount = (system: System): Promise<void> =>
  eventually(async () => {
    await system.sql('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
    await system.sql('SELECT pg_stat_statements_reset()');
  });

/** The time of each role, and the statements that took the longest. */
export async function countedStatements(system: System, most: number): Promise<string> {
  const rows = await system.sql<StatementRow>(
    `SELECT rolname AS role, calls::int, plans::int, total_plan_time AS "planMs", total_exec_time AS "executeMs",
       left(regexp_replace(query, '\\s+', ' ', 'g'), 160) AS text
     FROM pg_stat_statements JOIN pg_roles r ON r.oid = userid ORDER BY total_plan_time + total_exec_time DESC`,
  );
  const roles = new Map<string, { calls: number; plans: number; planMs: number; executeMs: number }>();
  for (const { role, calls, plans, planMs, executeMs } of rows) {
    const sum = roles.get(role) ?? { calls: 0, plans: 0, planMs: 0, executeMs: 0 };
    roles.set(role, {
      calls: sum.calls + calls,
      plans: sum.plans + plans,
      planMs: sum.planMs + planMs,
      executeMs: sum.executeMs + executeMs,
    });
  }
  const figures = (name: string, one: Omit<StatementRow, 'role' | 'text'>): string =>
    [
      name.padEnd(32),
      `${one.calls} calls`.padStart(14),
      `${one.plans} plans`.padStart(13),
      `${one.planMs.toFixed(0)} ms planned`.padStart(17),
      `${one.executeMs.toFixed(0)} ms executed`.padStart(18),
    ].join('');
  return [
    ...[...roles].map(([role, sum]) => figures(role, sum)),
    ...rows.slice(0, most).map(({ text, ...row }) => `${figures(row.role, row)}  ${text}`),
  ].join('\n');
}
