/**
 * Schedules and their overrides: what is to be. Who is on call because of it, on-call.ts tells. Layers are stored as the
 * resolver of the domain takes them, with plain UUIDs for members; a table beside them, with foreign keys, holds who they
 * are. Whoever changes a schedule or its overrides holds the row of the schedule, so its version covers both.
 */
import {
  Fault,
  newUuid,
  publicId,
  uuidOf,
  type Actor,
  type FieldFault,
  type Input,
  type ListSchedulesQuery,
  type Page,
  type PostOverride,
  type PostSchedule,
  type PostScheduleLayer,
  type Principal,
  type PutSchedule,
  type Schedule,
  type ScheduleLayer,
  type ScheduleOverride,
} from '@ams/contracts';
import { uuidsOf } from '@ams/alerting';
import { Database, actorOf, containing, withIdempotency, page, type Tx } from '@ams/database';
import { validateSchedule, type ScheduleLayer as StoredLayer } from '@ams/domain';
import { Injectable } from '@nestjs/common';
import {
  count,
  find,
  lock,
  newsBetween,
  owned,
  patched,
  referencesIn,
  refuseInUse,
  sortBy,
  recordAudit,
  throwFaults,
  type Table,
} from '../records/tenant-records.js';

type None = Record<string, never>;

/** What the user decides of a schedule, as it is stored. */
interface Settings {
  name: string;
  description: string | null;
  timezone: string;
  layers: StoredLayer[];
}

interface Row extends Settings {
  id: string;
  overrides: Override[];
  created_at: Date;
  updated_at: Date;
  version: number;
}

/** With plain UUIDs. */
interface Override {
  id: string;
  memberId: string;
  startsAt: string;
  endsAt: string;
  reason: string | null;
  createdBy: Actor;
  createdAt: string;
}

const text = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const override =
  `jsonb_build_object('id', o.id, 'memberId', o.member_id, 'startsAt', ${text('o.starts_at')}, 'endsAt', ${text('o.ends_at')}, ` +
  `'reason', o.reason, 'createdBy', o.created_by, 'createdAt', ${text('o.created_at')})`;

const overridesNotEnded = `(
  SELECT coalesce(jsonb_agg(${override} ORDER BY o.starts_at, o.id), '[]')
  FROM resources.schedule_overrides o WHERE o.schedule_id = schedules.id AND o.ends_at > now()
)`;

const table: Table = {
  name: 'resources.schedules',
  noun: 'schedule',
  resource: 'schedule',
  columns: `id, name, description, timezone, layers, created_at, updated_at, version, ${overridesNotEnded} AS overrides`,
};

/** For locking: whoever had to wait for the row has to read its overrides after that. */
const row: Table = { ...table, columns: 'id, version' };

const sorts = { name: { column: 'name', type: 'text' }, createdAt: { column: 'created_at', type: 'time' } } as const;

const onSchedule = `(EXISTS (SELECT 1 FROM resources.schedule_members m WHERE m.schedule_id = schedules.id AND m.member_id = ANY(?::uuid[]))
  OR EXISTS (SELECT 1 FROM resources.schedule_overrides o WHERE o.schedule_id = schedules.id AND o.member_id = ANY(?::uuid[]) AND o.ends_at > now()))`;

/** Of one schedule, and such that it fits into an answer. */
const overrideLimits = { notEnded: 500, reasonBytes: 256 * 1024, days: 400 };

const layerIdForm = /^[A-Za-z0-9_-]{1,64}$/;

@Injectable()
export class SchedulesService {
  constructor(private readonly database: Database) {}

  list(input: Input<ListSchedulesQuery, undefined>): Promise<Page<Schedule>> {
    const { limit, cursor, ...filters } = input.query;
    const where = owned(table, input.principal);
    if (filters.userId) where.and(onSchedule, uuidsOf('member', filters.userId), uuidsOf('member', filters.userId));
    if (filters.q) where.and('name ILIKE ?', containing(filters.q));
    return this.database.readAs(input.principal, (tx) =>
      page<Row, Schedule>(tx, {
        select: table.columns,
        from: table.name,
        where,
        sort: sortBy(filters.sort ?? 'name', sorts),
        id: 'id',
        limit,
        cursor,
        boundTo: ['schedules', filters],
        total: () => count(tx, table.name, where),
        item: recordOf,
      }),
    );
  }

  get(input: Input<None, undefined>): Promise<Schedule> {
    return this.database.readAs(input.principal, async (tx) => recordOf(await find<Row>(tx, table, input)));
  }

  create(input: Input<None, PostSchedule>): Promise<Schedule> {
    const { principal, body } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const settings = await settingsFrom(tx, principal, body, {
          name: body.name,
          description: null,
          timezone: 'UTC',
          layers: [],
        });
        const at = new Date();
        const id = newUuid(at.getTime());
        await tx.query(
          `INSERT INTO resources.schedules (id, organization_id, environment, name, description, timezone, layers, created_at, updated_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
          [
            id,
            principal.organizationId,
            principal.environment,
            settings.name,
            settings.description,
            settings.timezone,
            JSON.stringify(settings.layers),
            at,
          ],
        );
        await writeMembers(tx, principal, id, settings.layers);
        const created = recordOf({ id, ...settings, overrides: [], created_at: at, updated_at: at, version: 1 });
        await recordAudit(tx, input, 'schedule.created', {
          resource: 'schedule',
          id: created.id,
          before: null,
          after: created,
          ignore: ['overrides'],
          at,
        });
        return created;
      }),
    );
  }

  update(input: Input<None, PutSchedule>): Promise<Schedule> {
    return this.database.writeAs(input.principal, async (tx) => {
      await lock(tx, row, input);
      const present = await find<Row>(tx, table, input);
      const settings = await settingsFrom(tx, input.principal, input.body, present);
      const at = new Date();
      const before = recordOf(present);
      const after = recordOf({ ...present, ...settings, updated_at: at, version: present.version + 1 });
      if (newsBetween(before, after).length === 0) return before;
      await tx.query(
        'UPDATE resources.schedules SET name = $2, description = $3, timezone = $4, layers = $5, updated_at = $6, version = $7 WHERE id = $1',
        [
          present.id,
          settings.name,
          settings.description,
          settings.timezone,
          JSON.stringify(settings.layers),
          at,
          after.version,
        ],
      );
      await writeMembers(tx, input.principal, present.id, settings.layers);
      await recordAudit(tx, input, 'schedule.updated', { resource: 'schedule', id: after.id, before, after, at });
      return after;
    });
  }

  /** A workflow that begins to name the schedule waits for the lock, or the lock for it: it is refused, or seen here. */
  delete(input: Input<None, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      await lock(tx, row, input);
      const present = await find<Row>(tx, table, input);
      refuseInUse(
        await referencesIn(
          tx,
          'workflow',
          'workflow',
          'SELECT w.id, w.name FROM resources.workflow_references r JOIN resources.workflows w ON w.id = r.workflow_id WHERE r.schedule_id = $1 ORDER BY w.name, w.id',
          [present.id],
        ),
      );
      await tx.query('DELETE FROM resources.schedules WHERE id = $1', [present.id]);
      const before = recordOf(present);
      await recordAudit(tx, input, 'schedule.deleted', {
        resource: 'schedule',
        id: before.id,
        before,
        after: null,
        ignore: ['overrides'],
        at: new Date(),
      });
    });
  }

  createOverride(input: Input<None, PostOverride>): Promise<ScheduleOverride> {
    const { principal, body } = input;
    return this.database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, input.idempotency, async () => {
        const { id: scheduleId } = await lock<Row>(tx, row, input);
        const at = new Date();
        const created: Override = {
          id: newUuid(at.getTime()),
          memberId: uuidOf('member', body.userId) ?? '',
          startsAt: utc(body.startsAt),
          endsAt: utc(body.endsAt),
          reason: body.reason ?? null,
          createdBy: actorOf(principal),
          createdAt: at.toISOString(),
        };
        const nameable = await nameableMembers(tx, principal, [body.userId]);
        throwFaults([
          ...memberFaults('userId', body.userId, nameable),
          ...lengthFaults(created),
          ...(await roomFaults(tx, scheduleId, created)),
        ]);
        await tx.query(
          `INSERT INTO resources.schedule_overrides (id, organization_id, environment, schedule_id, member_id, starts_at, ends_at, reason, created_by, created_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
          [
            created.id,
            principal.organizationId,
            principal.environment,
            scheduleId,
            created.memberId,
            new Date(created.startsAt),
            new Date(created.endsAt),
            created.reason,
            JSON.stringify(created.createdBy),
            at,
          ],
        );
        await raiseVersion(tx, scheduleId, at);
        const record = overrideOf(created);
        await tellOfOverride(tx, input, 'schedule.override_created', [null, record], at);
        return record;
      }),
    );
  }

  deleteOverride(input: Input<None, undefined>): Promise<void> {
    return this.database.writeAs(input.principal, async (tx) => {
      const { id: scheduleId } = await lock<Row>(tx, row, input);
      const id = input.params['overrideId'] ?? '';
      const [deleted] = await tx.query<{ override: Override }>(
        `DELETE FROM resources.schedule_overrides o WHERE schedule_id = $1 AND id = $2 RETURNING ${override} AS override`,
        [scheduleId, uuidOf('scheduleOverride', id)],
      );
      if (!deleted) throw new Fault('NOT_FOUND', { resource: 'override', id });
      const at = new Date();
      await raiseVersion(tx, scheduleId, at);
      await tellOfOverride(tx, input, 'schedule.override_deleted', [overrideOf(deleted.override), null], at);
    });
  }
}

/** In UTC with milliseconds. */
const utc = (instant: string): string => new Date(instant).toISOString();

/** What a schedule is to be, when it was like `before`. Throws everything that is wrong with it. */
async function settingsFrom(tx: Tx, principal: Principal, sent: PutSchedule, before: Settings): Promise<Settings> {
  const settings: Settings = {
    name: patched(before.name, sent.name),
    description: patched(before.description, sent.description),
    timezone: patched(before.timezone, sent.timezone),
    layers: patched(before.layers, sent.layers?.map(storedLayer)),
  };
  throwFaults([
    ...(await layerFaults(tx, principal, sent.layers ?? [], before.layers)),
    ...validateSchedule({ timezone: settings.timezone, layers: settings.layers, overrides: [] }),
  ]);
  return settings;
}

const storedLayer = ({
  id,
  name,
  members,
  rotation,
  startsAt,
  endsAt,
  restrictions,
}: PostScheduleLayer): StoredLayer => ({
  id: id ?? `lyr_${newUuid().replaceAll('-', '')}`,
  name,
  members: members.map((member) => uuidOf('member', member) ?? member),
  rotation: { ...rotation, handoffDay: rotation.handoffDay ?? null },
  startsAt: utc(startsAt),
  endsAt: endsAt ? utc(endsAt) : null,
  restrictions: restrictions ?? [],
});

/** What only this service can say of layers: the form of their ids, and who is there. */
async function layerFaults(
  tx: Tx,
  principal: Principal,
  sent: PostScheduleLayer[],
  before: StoredLayer[],
): Promise<FieldFault[]> {
  const nameable = await nameableMembers(
    tx,
    principal,
    sent.flatMap(({ members }) => members),
    before.flatMap(({ members }) => members),
  );
  return sent.flatMap(({ id, members }, i) => [
    ...(id === undefined || layerIdForm.test(id)
      ? []
      : [{ path: `layers[${i}].id`, rule: 'format', message: 'must have 1 to 64 letters, digits, - or _' }]),
    ...members.flatMap((member, j) => memberFaults(`layers[${i}].members[${j}]`, member, nameable)),
  ]);
}

/** Those of the ids that a schedule may name: who is disabled may stay, but not come. */
async function nameableMembers(
  tx: Tx,
  { organizationId }: Principal,
  ids: string[],
  present: string[] = [],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.query<{ id: string }>('SELECT id FROM auth.hold_members($1, $2::uuid[], $3::uuid[]) AS id', [
    organizationId,
    uuidsOf('member', ids),
    present,
  ]);
  return new Set(rows.map(({ id }) => publicId('member', id)));
}

const memberFaults = (path: string, id: string, nameable: Set<string>): FieldFault[] =>
  nameable.has(id)
    ? []
    : [{ path, rule: 'exists', message: `there is no member with the id ${id} who can be on call` }];

function lengthFaults({ startsAt, endsAt }: Override): FieldFault[] {
  const length = Date.parse(endsAt) - Date.parse(startsAt);
  if (length <= 0) return [{ path: 'endsAt', rule: 'order', message: 'endsAt must be after startsAt' }];
  return length <= overrideLimits.days * 86_400_000
    ? []
    : [{ path: 'endsAt', rule: 'range', message: `endsAt must be at most ${overrideLimits.days} days after startsAt` }];
}

/** Whether there is room for one more. The schedule is locked, so two at once are counted one after the other. */
async function roomFaults(tx: Tx, scheduleId: string, { reason, endsAt, createdAt }: Override): Promise<FieldFault[]> {
  if (endsAt <= createdAt) return [];
  const { notEnded, reasonBytes } = overrideLimits;
  const [used] = await tx.query<{ n: number; bytes: number }>(
    `SELECT count(*)::int AS n, coalesce(sum(octet_length(to_json(reason)::text)), 0)::int AS bytes FROM resources.schedule_overrides WHERE schedule_id = $1 AND ends_at > $2`,
    [scheduleId, new Date(createdAt)],
  );
  if (used && used.n >= notEnded)
    return [
      { path: '', rule: 'maxItems', message: `a schedule has at most ${notEnded} overrides that have not ended` },
    ];
  const bytes = (used?.bytes ?? 0) + Buffer.byteLength(JSON.stringify(reason));
  return bytes <= reasonBytes
    ? []
    : [
        {
          path: 'reason',
          rule: 'maxLength',
          message: `the reasons of a schedule's overrides have at most ${reasonBytes} bytes together`,
        },
      ];
}

async function writeMembers(
  tx: Tx,
  { organizationId, environment }: Principal,
  scheduleId: string,
  layers: StoredLayer[],
): Promise<void> {
  await tx.query('DELETE FROM resources.schedule_members WHERE schedule_id = $1', [scheduleId]);
  await tx.query(
    'INSERT INTO resources.schedule_members (organization_id, environment, schedule_id, member_id) SELECT $1, $2, $3, unnest($4::uuid[])',
    [organizationId, environment, scheduleId, [...new Set(layers.flatMap(({ members }) => members))]],
  );
}

const raiseVersion = (tx: Tx, scheduleId: string, at: Date): Promise<unknown> =>
  tx.query('UPDATE resources.schedules SET version = version + 1, updated_at = $2 WHERE id = $1', [scheduleId, at]);

/** Of an override before and after; one of the two is null. */
const tellOfOverride = (
  tx: Tx,
  input: Input<unknown, unknown>,
  type: string,
  [before, after]: (ScheduleOverride | null)[],
  at: Date,
): Promise<void> =>
  recordAudit(tx, input, type, {
    resource: 'schedule',
    id: input.params['id'] ?? '',
    before: { override: before },
    after: { override: after },
    at,
  });

function recordOf(schedule: Row): Schedule {
  return {
    id: publicId('schedule', schedule.id),
    name: schedule.name,
    description: schedule.description,
    timezone: schedule.timezone,
    layers: schedule.layers.map(layerOf),
    overrides: schedule.overrides.map(overrideOf),
    createdAt: schedule.created_at.toISOString(),
    updatedAt: schedule.updated_at.toISOString(),
    version: schedule.version,
  };
}

const layerOf = ({ members, ...layer }: StoredLayer): ScheduleLayer => ({
  ...layer,
  members: members.map((member) => publicId('member', member)),
});

const overrideOf = ({ id, memberId, ...override }: Override): ScheduleOverride => ({
  id: publicId('scheduleOverride', id),
  userId: publicId('member', memberId),
  ...override,
});
