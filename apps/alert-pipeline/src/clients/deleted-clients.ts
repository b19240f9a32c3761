/**
 * Removes deleted clients from their alerts and incidents, so that no record names a client that does not exist. A
 * client with open alerts cannot be deleted. So only resolved alerts are changed, but there may be a million: they are
 * changed in the background, without entries in their timelines. The audit log shows the deletion.
 */
import { Database } from '@ams/database';
import { Logger } from '@ams/messaging';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';

const everyMs = 1000;
const atOnce = 1000;

@Injectable()
export class DeletedClients implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private running: Promise<void> | null = null;

  constructor(
    private readonly database: Database,
    private readonly log: Logger,
  ) {}

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => {
      this.running ??= detachDeletedClients(this.database)
        .catch((error: unknown) =>
          this.log.warn({ err: error }, 'deleted clients could not be removed from their alerts; trying again'),
        )
        .finally(() => {
          this.running = null;
        });
    }, everyMs);
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.running;
  }
}

export async function detachDeletedClients(database: Database): Promise<void> {
  const deleted = await database.query<{ id: string }>(
    `SELECT c.id FROM resources_views.clients c WHERE c.deleted_at IS NOT NULL
       AND (EXISTS (SELECT 1 FROM alerts.alerts WHERE client_id = c.id)
         OR EXISTS (SELECT 1 FROM alerts.incidents WHERE client_id = c.id))`,
  );
  for (const { id } of deleted) {
    for (const table of ['alerts.alerts', 'alerts.incidents']) {
      for (let changed = atOnce; changed === atOnce;) {
        const rows = await database.query(
          `UPDATE ${table} SET client_id = NULL
           WHERE id IN (
             SELECT id FROM ${table} WHERE client_id = $1 ORDER BY id LIMIT ${atOnce} FOR UPDATE SKIP LOCKED)
           RETURNING id`,
          [id],
        );
        changed = rows.length;
      }
    }
  }
}
