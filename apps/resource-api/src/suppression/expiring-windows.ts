/** Tells workflows that a suppression window ends within an hour: the event `suppression.expiring`. */
import { newUuid, publicId, suppressionEventsSubject, type SuppressionEvent } from '@ams/contracts';
import { addToOutbox, Database, selectOf, type Tx } from '@ams/database';
import { decideExpiring } from '@ams/domain';
import { Outbox } from '@ams/persistence';
import { Logger, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { databaseNow } from '../schedules/schedule-versions.js';
import {
  afterFailure,
  dueWatches,
  isAnyDue,
  updateWatches,
  watchesAtOnce,
  type WatchUpdate,
} from '../watches/due-watches.js';
import { SuppressionWindowEntity } from './suppression-window.entity.js';
import { timesOf } from './window-status.js';

const everyMs = 1000;
const table = 'resources.window_endings';

/** The end that was told last. */
interface Told {
  endsAt: string;
}

@Injectable()
export class ExpiringWindows implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {
    this.rounds = new Rounds({
      everyMs,
      work: () => this.work(),
      onError: (error) =>
        this.log.warn({ err: error }, 'ends of suppression windows could not be checked; trying again'),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async work(): Promise<boolean> {
    if (!(await isAnyDue(this.database, table))) return false;
    const { done, told } = await this.database.asService((tx) => tellExpiring(tx, this.log));
    if (told > 0) this.outbox.publishNow();
    return done === watchesAtOnce;
  }
}

/** Decides about the windows that are due: how many they were, and how many ends were told. */
export async function tellExpiring(tx: Tx, log: Logger): Promise<{ done: number; told: number }> {
  const due = await dueWatches<Told>(tx, table);
  if (due.length === 0) return { done: 0, told: 0 };
  const at = await databaseNow(tx);
  const windows = await tx.query<SuppressionWindowEntity>(
    `SELECT ${selectOf(tx, SuppressionWindowEntity, 'w')} FROM resources.suppression_windows w WHERE id = ANY($1::uuid[])`,
    [due.map(({ id }) => id)],
  );
  const updates: WatchUpdate<Told>[] = [];
  const events: SuppressionEvent[] = [];
  for (const window of windows) {
    const { id, told, sequence } = due.find((one) => one.id === window.id)!;
    try {
      const { endsAt, lookAt } = decideExpiring(timesOf(window), told?.endsAt ?? null, at.toISOString());
      const tells = endsAt !== null;
      updates.push({ id, told: tells ? { endsAt } : told, sequence: sequence + (tells ? 1 : 0), lookAt });
      if (tells) events.push(eventOf(window, endsAt, sequence + 1, at));
    } catch (error) {
      log.error({ err: error, windowId: id }, 'the end of a suppression window could not be decided');
      updates.push({ id, told, sequence, lookAt: afterFailure(at) });
    }
  }
  await updateWatches(tx, table, updates);
  await addToOutbox(
    tx,
    'resource-api',
    events.map((event) => ({ subject: suppressionEventsSubject, messageId: event.id, payload: event })),
  );
  return { done: due.length, told: events.length };
}

const eventOf = (window: SuppressionWindowEntity, endsAt: string, version: number, at: Date): SuppressionEvent => ({
  id: publicId('timelineEntry', newUuid(at.getTime())),
  organizationId: window.organizationId,
  environment: window.environment,
  type: 'suppression.expiring',
  occurredAt: at.toISOString(),
  depth: 0,
  suppression: {
    id: publicId('suppressionWindow', window.id),
    name: window.name,
    reason: window.reason,
    teamId: publicId('team', window.teamId),
    clientIds: window.clientIds.map((id) => publicId('client', id)),
    endsAt,
    version,
  },
});
