/** Housekeeping of the engine's records: table partitions and the deletion of old rows. */
import { Database } from '@ams/database';
import { ageOfFirst, deletedBy, Housekeeping, Retention, rowsOfStep } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { WorkflowEngineSettings } from './settings.js';

const everyMs = 3_600_000;

const ageOf = (column: string, table: string): string =>
  `SELECT extract(epoch FROM now() - min(${column})) AS age FROM ${table}`;

/** Runs that wait are kept at any age. The other ids are UUIDv7 and contain the time of the record. */
const kinds = [
  {
    kind: 'runs',
    oldest: ageOf('finished_at', 'workflows.runs'),
    statement: `DELETE FROM workflows.runs WHERE id IN (
       SELECT id FROM workflows.runs WHERE finished_at < now() - make_interval(days => $1) LIMIT ${rowsOfStep})`,
  },
  {
    kind: 'notifications',
    oldest: ageOfFirst('workflows.notifications', 'created_at'),
    statement: `DELETE FROM workflows.notifications WHERE id IN (
       SELECT id FROM workflows.notifications
       WHERE id < public.uuid_at(now() - make_interval(days => $1)) AND status <> 'queued' LIMIT ${rowsOfStep})`,
  },
  {
    kind: 'page requests',
    oldest: ageOf('asked_at', 'workflows.page_requests'),
    statement: `DELETE FROM workflows.page_requests WHERE id IN (
       SELECT id FROM workflows.page_requests
       WHERE asked_at < now() - make_interval(days => $1) AND outcome IS NOT NULL LIMIT ${rowsOfStep})`,
  },
  {
    kind: 'decisions of workflows',
    oldest: ageOfFirst('workflows.considered', 'occurred_at', 'event_id'),
    statement: `DELETE FROM workflows.considered WHERE event_id IN (
       SELECT event_id FROM workflows.considered
       WHERE event_id < public.uuid_at(now() - make_interval(days => $1)) LIMIT ${rowsOfStep})`,
  },
  {
    kind: 'counts of messages',
    oldest: ageOf('day', 'workflows.message_counts'),
    statement: `DELETE FROM workflows.message_counts WHERE (organization_id, kind, day) IN (
       SELECT organization_id, kind, day FROM workflows.message_counts
       WHERE day < (now() - make_interval(days => greatest($1, 2)))::date LIMIT ${rowsOfStep})`,
  },
  {
    // Those that an operator has not replayed are kept.
    kind: 'replayed events',
    oldest: ageOf('created_at', 'workflows.set_aside'),
    statement: `DELETE FROM workflows.set_aside WHERE id IN (
       SELECT id FROM workflows.set_aside WHERE replayed_at < now() - make_interval(days => $1) LIMIT ${rowsOfStep})`,
  },
];

const partitioned = ['workflows.considered', 'workflows.notifications'];

/** Deletes jobs that have failed finally and were replaced by others with the same key. */
const deleteReplacedJobs =
  'DELETE FROM workflow_jobs._private_jobs WHERE attempts >= max_attempts AND locked_at IS NULL';

@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    housekeeping: Housekeeping,
    retention: Retention,
    { runDays }: WorkflowEngineSettings,
  ) {
    housekeeping.keepPartitions(partitioned);
    for (const { kind, oldest, statement } of kinds)
      retention.add({ kind, oldest, begin: deletedBy(statement, [runDays]) });
    housekeeping.add({ name: 'empty partitions', everyMs, run: () => this.dropEmptyMonths(runDays) });
    housekeeping.add({ name: 'replaced jobs', everyMs, run: () => this.deleteReplacedJobs() });
  }

  private async dropEmptyMonths(days: number): Promise<void> {
    for (const table of partitioned)
      await this.database.query('SELECT public.drop_empty_months($1::regclass, now() - make_interval(days => $2))', [
        table,
        days,
      ]);
  }

  /** The table does not exist before the job runner has started for the first time. */
  private async deleteReplacedJobs(): Promise<void> {
    const [table] = await this.database.query<{ exists: boolean }>(
      `SELECT to_regclass('workflow_jobs._private_jobs') IS NOT NULL AS exists`,
    );
    if (table?.exists) await this.database.query(deleteReplacedJobs);
  }
}
