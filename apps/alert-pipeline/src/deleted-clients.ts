/**
 * Takes clients that were deleted off their alerts and incidents, so that nothing names what is not there. A client with
 * open alerts is not deleted, so what is left is history, and there may be very much of it: it is done in the background,
 * and without an entry in a million timelines; the audit log has the deletion.
 */
import type { Database } from '@ams/database';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { DatabasePart } from './parts.js';

const everyMs = 1000;
const atOnce = 1000;

@Injectable()
export class DeletedClients implements Part {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  constructor(
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(DatabasePart) private readonly databasePart: DatabasePart,
  ) {}

  async start(): Promise<void> {
    this.timer = setInterval(() => {
      this.running ??= detachDeletedClients(this.databasePart.database)
        .catch((error: unknown) =>
          this.log.warn({ err: error }, 'deleted clients could not be taken off their alerts; it will be tried again'),
        )
        .finally(() => {
          this.running = null;
        });
    }, everyMs);
  }

  async drain(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}

export async function detachDeletedClients(database: Database): Promise<void> {
  const deleted = await database.query<{ id: string }>(
    `SELECT c.id FROM resources_views.clients c WHERE c.deleted_at IS NOT NULL
       AND (EXISTS (SELECT 1 FROM alerts.alerts WHERE client_id = c.id) OR EXISTS (SELECT 1 FROM alerts.incidents WHERE client_id = c.id))`,
  );
  for (const { id } of deleted) {
    for (const table of ['alerts.alerts', 'alerts.incidents']) {
      for (let changed = atOnce; changed === atOnce;) {
        const rows = await database.query(
          `UPDATE ${table} SET client_id = NULL WHERE id IN (SELECT id FROM ${table} WHERE client_id = $1 ORDER BY id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED) RETURNING id`,
          [id],
        );
        changed = rows.length;
      }
    }
  }
}
