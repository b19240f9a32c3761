/** Housekeeping of the engine's records: table partitions and the deletion of old rows. */
import { Database } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { WorkflowEngineSettings } from './settings.js';

const everyMs = 3_600_000;
/** The number of rows that one statement deletes, so that nobody waits long for its locks. */
const batchSize = 5000;

/** Runs that wait are kept at any age. The other ids are UUIDv7 and contain the time of the record. */
const deletions = [
  `DELETE FROM workflows.runs WHERE id IN (
     SELECT id FROM workflows.runs WHERE finished_at < now() - make_interval(days => $1) LIMIT ${batchSize}
   ) RETURNING 1`,
  `DELETE FROM workflows.notifications WHERE id IN (
     SELECT id FROM workflows.notifications
     WHERE id < public.uuid_at(now() - make_interval(days => $1)) AND status <> 'queued' LIMIT ${batchSize}
   ) RETURNING 1`,
  `DELETE FROM workflows.page_requests WHERE id IN (
     SELECT id FROM workflows.page_requests
     WHERE asked_at < now() - make_interval(days => $1) AND outcome IS NOT NULL LIMIT ${batchSize}
   ) RETURNING 1`,
  `DELETE FROM workflows.considered WHERE event_id IN (
     SELECT event_id FROM workflows.considered
     WHERE event_id < public.uuid_at(now() - make_interval(days => $1)) LIMIT ${batchSize}
   ) RETURNING 1`,
  `DELETE FROM workflows.message_counts WHERE (organization_id, kind, day) IN (
     SELECT organization_id, kind, day FROM workflows.message_counts
     WHERE day < (now() - make_interval(days => greatest($1, 2)))::date LIMIT ${batchSize}
   ) RETURNING 1`,
];

/** Deletes jobs that have failed finally and were replaced by others with the same key. */
const deleteReplacedJobs =
  'DELETE FROM workflow_jobs._private_jobs WHERE attempts >= max_attempts AND locked_at IS NULL';

@Injectable()
export class RetentionService {
  constructor(
    private readonly database: Database,
    private readonly housekeeping: Housekeeping,
    private readonly settings: WorkflowEngineSettings,
  ) {
    housekeeping.keepPartitions(['workflows.considered', 'workflows.notifications']);
    housekeeping.add({ name: 'old runs and notifications', everyMs, run: () => this.deleteOld() });
    housekeeping.add({ name: 'replaced jobs', everyMs, run: () => this.deleteReplacedJobs() });
  }

  private async deleteOld(): Promise<void> {
    for (const statement of deletions) await this.deleteInPortions(statement);
  }

  /** The table does not exist before the job runner has started for the first time. */
  private async deleteReplacedJobs(): Promise<void> {
    const [table] = await this.database.query<{ exists: boolean }>(
      `SELECT to_regclass('workflow_jobs._private_jobs') IS NOT NULL AS exists`,
    );
    if (table?.exists) await this.database.query(deleteReplacedJobs);
  }

  private async deleteInPortions(statement: string): Promise<void> {
    while (!this.housekeeping.isStopping) {
      const deleted = await this.database.query(statement, [this.settings.runDays]);
      if (deleted.length < batchSize) return;
    }
  }
}
