/**
 * Keeps the members of layers for everybody up to date. Triggers of the database note the organizations whose members
 * or schedules changed, in the transaction of the change, so none is missed. A note is deleted in the transaction that
 * writes the schedules.
 */
import { newUuid, publicId, auditSubject, type Actor, type AuditRecord } from '@ams/contracts';
import { addToOutbox, Database, type Tx } from '@ams/database';
import { changedFrom, membersInTurn, type ScheduleSettings } from '@ams/domain';
import { Logger, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { In } from 'typeorm';
import { everybodyOf } from '../members/member-queries.js';
import { changeRecord } from '../records/entity-records.js';
import { auditedChanges } from '../records/record-audit.js';
import { scheduleRecord, schedules } from './schedule-record.js';
import { databaseNow, newestOf, versionsNotEnded } from './schedule-versions.js';
import { storeVersions } from './schedules.service.js';
import { ScheduleEntity } from './schedule.entity.js';

const everyMs = 2000;
const atOnce = 100;

const actor: Actor = { type: 'service', id: null, name: 'everybody in turn' };

@Injectable()
export class Everybody implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly rounds: Rounds;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
  ) {
    this.rounds = new Rounds({
      everyMs,
      work: () => this.work(),
      onError: (error) => this.log.warn({ err: error }, 'changes of members could not be read; trying again'),
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  private async work(): Promise<boolean> {
    const changed = await this.database.query<{ id: string }>(
      `SELECT DISTINCT organization_id AS id FROM (
         SELECT organization_id FROM resources.everybody_changes ORDER BY id LIMIT ${atOnce}
       ) oldest`,
    );
    for (const { id } of changed) {
      if (this.rounds.isStopped) break;
      await this.database
        .asService((tx) => updateEverybody(tx, id))
        .catch((error: unknown) =>
          this.log.warn(
            { err: error, organizationId: id },
            'the schedules for everybody of an organization could not be updated; trying again',
          ),
        );
    }
    return false;
  }
}

/** Gives the layers for everybody of an organization (a UUID) their members, from now on, if it has noted changes. */
export async function updateEverybody(tx: Tx, organizationId: string): Promise<void> {
  const noted = await tx.query(
    `DELETE FROM resources.everybody_changes WHERE id IN (
       SELECT id FROM resources.everybody_changes WHERE organization_id = $1 FOR UPDATE SKIP LOCKED) RETURNING 1`,
    [organizationId],
  );
  if (noted.length === 0) return;
  const locked = await tx.query<{ id: string }>(
    `SELECT id FROM resources.schedules s WHERE organization_id = $1 AND (layers @> '[{"everybody": true}]'
       OR EXISTS (SELECT 1 FROM resources.schedule_versions v
                  WHERE v.schedule_id = s.id AND v.effective_until > now() AND v.layers @> '[{"everybody": true}]'))
     ORDER BY id FOR UPDATE`,
    [organizationId],
  );
  const everybody = await everybodyOf(tx, { organizationId });
  const found = await tx.repository(ScheduleEntity).findBy({ organizationId, id: In(locked.map(({ id }) => id)) });
  for (const schedule of found) await updateSchedule(tx, schedule, everybody);
}

async function updateSchedule(tx: Tx, schedule: ScheduleEntity, everybody: string[]): Promise<void> {
  const at = await databaseNow(tx);
  const versions = await versionsNotEnded(tx, schedule, at);
  const next = changedFrom(versions, at.toISOString(), (settings, from) => withMembers(settings, everybody, from));
  if (isDeepStrictEqual(versions, next)) return;
  const changed = await changeRecord(tx, schedules, schedule, newestOf(next), at);
  await storeVersions(tx, changed, next, at);
  const before = scheduleRecord(schedule, versions, [], at);
  const entry: AuditRecord = {
    id: newUuid(at.getTime()),
    organizationId: schedule.organizationId,
    environment: schedule.environment,
    type: 'schedule.updated',
    occurredAt: at.toISOString(),
    actor,
    ip: null,
    userAgent: null,
    requestId: null,
    resource: { type: 'schedule', id: publicId('schedule', schedule.id) },
    changes: auditedChanges(before, scheduleRecord(changed, next, [], at), ['overrides', 'effectiveFrom']),
  };
  await addToOutbox(tx, 'resource-api', [{ subject: auditSubject, messageId: entry.id, payload: entry }]);
}

const withMembers = (settings: ScheduleSettings, everybody: string[], from: string): ScheduleSettings => ({
  ...settings,
  layers: settings.layers.map((layer) =>
    layer.everybody ? { ...layer, members: membersInTurn(layer, settings.timezone, everybody, from) } : layer,
  ),
});
