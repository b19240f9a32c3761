/** How long the records of the engine are kept, and their partitions. */
import { Database } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { WorkflowEngineSettings } from './settings.js';

const everyMs = 3_600_000;
/** Rows that one statement deletes: nobody waits long for its locks. */
const portion = 5000;

/** Runs that wait are kept, however old they are. The other ids are UUIDv7: they tell the time of the record. */
const deletions = [
  `DELETE FROM workflows.runs WHERE id IN (
     SELECT id FROM workflows.runs WHERE finished_at < now() - make_interval(days => $1) LIMIT ${portion}
   ) RETURNING 1`,
  `DELETE FROM workflows.notifications WHERE id IN (
     SELECT id FROM workflows.notifications
     WHERE id < public.uuid_at(now() - make_interval(days => $1)) AND status <> 'queued' LIMIT ${portion}
   ) RETURNING 1`,
  `DELETE FROM workflows.considered WHERE event_id IN (
     SELECT event_id FROM workflows.considered
     WHERE event_id < public.uuid_at(now() - make_interval(days => $1)) LIMIT ${portion}
   ) RETURNING 1`,
];

/** Jobs that failed for good because others with the same key took their place. */
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
    housekeeping.add({ name: 'replaced jobs', everyMs, run: () => database.query(deleteReplacedJobs) });
  }

  private async deleteOld(): Promise<void> {
    for (const statement of deletions) await this.deleteInPortions(statement);
  }

  private async deleteInPortions(statement: string): Promise<void> {
    while (!this.housekeeping.isStopping) {
      const deleted = await this.database.query(statement, [this.settings.runDays]);
      if (deleted.length < portion) return;
    }
  }
}
