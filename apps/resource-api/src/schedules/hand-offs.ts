/**
 * Tells workflows who is on call when that changes: the event `schedule.handoff`. It does not matter why it changed; the
 * members who are on call now are compared with those who were told last.
 */
import { overridesAround, resolvables, versionsAround } from '@ams/alerting';
import { newUuid, publicId, scheduleEventsSubject, type EventMember, type ScheduleEvent } from '@ams/contracts';
import { addToOutbox, Database, selectOf, type Tx } from '@ams/database';
import { decideHandOff, type HandOffDecision, type OnCallSchedule } from '@ams/domain';
import { Outbox } from '@ams/persistence';
import { Logger, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import {
  afterFailure,
  dueWatches,
  isAnyDue,
  updateWatches,
  watchesAtOnce,
  type WatchUpdate,
} from '../watches/due-watches.js';
import { databaseNow } from './schedule-versions.js';
import { ScheduleEntity } from './schedule.entity.js';

const everyMs = 1000;
const table = 'resources.schedule_handoffs';

/** UUIDs of the members who were told last. */
interface Told {
  userIds: string[];
}

interface Decided {
  schedule: ScheduleEntity;
  resolved: OnCallSchedule;
  decision: HandOffDecision;
  before: string[];
  update: WatchUpdate<Told>;
}

@Injectable()
export class HandOffs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    private readonly outbox: Outbox,
  ) {
    this.rounds = new Rounds({
      everyMs,
      work: () => this.work(),
      onError: (error) => this.log.warn({ err: error }, 'hand-offs could not be checked; trying again'),
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
    const { done, told } = await this.database.asService((tx) => tellHandOffs(tx, this.log));
    if (told > 0) this.outbox.publishNow();
    return done === watchesAtOnce;
  }
}

/** Decides about the schedules that are due: how many they were, and how many hand-offs were told. */
export async function tellHandOffs(tx: Tx, log: Logger): Promise<{ done: number; told: number }> {
  const due = await dueWatches<Told>(tx, table);
  if (due.length === 0) return { done: 0, told: 0 };
  // Read after the locks: a change that commits later makes the row due again.
  const at = await databaseNow(tx);
  const ids = due.map(({ id }) => id);
  const schedules = await tx.query<ScheduleEntity>(
    `SELECT ${selectOf(tx, ScheduleEntity, 's')} FROM resources.schedules s WHERE id = ANY($1::uuid[])`,
    [ids],
  );
  const versions = await versionsAround(tx, ids, at.toISOString());
  const resolved = resolvables(schedules, versions, await overridesAround(tx, ids, at.toISOString()));
  const updates: WatchUpdate<Told>[] = [];
  const decided: Decided[] = [];
  for (const [i, schedule] of schedules.entries()) {
    const { id, told, sequence } = due.find((one) => one.id === schedule.id)!;
    try {
      const decision = decideHandOff(resolved[i]!, told?.userIds ?? null, at.toISOString());
      const update = {
        id,
        told: { userIds: decision.userIds },
        sequence: sequence + (decision.isHandOff ? 1 : 0),
        lookAt: decision.lookAt,
      };
      updates.push(update);
      if (decision.isHandOff)
        decided.push({ schedule, resolved: resolved[i]!, decision, before: told?.userIds ?? [], update });
    } catch (error) {
      log.error({ err: error, scheduleId: id }, 'who is on call in a schedule could not be decided');
      updates.push({ id, told, sequence, lookAt: afterFailure(at) });
    }
  }
  await updateWatches(tx, table, updates);
  const events = await eventsOf(tx, decided, at);
  await addToOutbox(
    tx,
    'resource-api',
    events.map((event) => ({ subject: scheduleEventsSubject, messageId: event.id, payload: event })),
  );
  return { done: due.length, told: events.length };
}

async function eventsOf(tx: Tx, decided: readonly Decided[], at: Date): Promise<ScheduleEvent[]> {
  if (decided.length === 0) return [];
  const rows = await tx.query<EventMember>(
    'SELECT id, name, email FROM auth_views.members WHERE id = ANY($1::uuid[])',
    [[...new Set(decided.flatMap(({ before, decision }) => [...before, ...decision.userIds]))]],
  );
  const members = new Map(rows.map(({ id, ...shown }) => [id, { id: publicId('member', id), ...shown }]));
  const shown = (ids: readonly string[]): EventMember[] =>
    ids.map((id) => members.get(id)).filter((member) => member !== undefined);
  return decided.map(({ schedule, resolved, decision, before, update }) => ({
    id: publicId('timelineEntry', newUuid(at.getTime())),
    organizationId: schedule.organizationId,
    environment: schedule.environment,
    type: 'schedule.handoff',
    occurredAt: at.toISOString(),
    depth: 0,
    schedule: {
      id: publicId('schedule', schedule.id),
      name: schedule.name,
      teamId: publicId('team', schedule.teamId),
      timezone: schedule.timezone,
      from: shown(before),
      to: shown(decision.userIds),
      source: decision.shift?.source ?? null,
      layer: layerOf(resolved, decision),
      startsAt: decision.startsAt,
      endsAt: decision.endsAt,
      version: update.sequence,
    },
  }));
}

/** The layer of the first member, in the newest version that has it. */
function layerOf(
  { layers, laterVersions = [] }: OnCallSchedule,
  { shift }: HandOffDecision,
): { id: string; name: string } | null {
  const all = [...layers, ...laterVersions.flatMap((version) => version.layers)];
  const layer = all.findLast(({ id }) => id === shift?.layerId);
  return layer ? { id: layer.id, name: layer.name } : null;
}
