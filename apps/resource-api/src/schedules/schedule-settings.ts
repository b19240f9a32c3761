/** The settings of a schedule that a caller sends: checked, and in the form in which they are stored. */
import { isDeepStrictEqual } from 'node:util';
import type { StoredSettings } from '@ams/alerting';
import {
  effectiveWithinDays,
  newUuid,
  uuidOf,
  worded,
  type FieldFault,
  type PostScheduleLayer,
  type PutSchedule,
  type Tenant,
} from '@ams/contracts';
import type { Tx } from '@ams/database';
import {
  changedFrom,
  layerBasics,
  membersInTurn,
  validateSchedule,
  wholeLayer,
  type ScheduleLayer,
  type ScheduleSettings,
  type StoredLayer,
  type Versions,
} from '@ams/domain';
import { everybodyOf, holdMembers, unknownMember } from '../members/member-queries.js';
import { patch } from '../records/entity-records.js';
import { throwFaults } from '../records/throw-faults.js';
import { teamFaults } from '../teams/held-team.js';
import type { ScheduleEntity } from './schedule.entity.js';

/** The settings of a schedule that a caller can set, and that are not versions. */
export type ScheduleDescription = Pick<ScheduleEntity, 'name' | 'description' | 'teamId'>;

export const descriptionDefaults: ScheduleDescription = { name: '', description: null, teamId: null };

export const settingsDefaults: StoredSettings = { timezone: 'UTC', layerMode: 'last', layers: [], plannedGaps: [] };

const layerIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/** Client and service may have different clocks. A time that is a little earlier means now. */
const toleratedMs = 5 * 60_000;

/** The time from which an edit counts. */
export function effectiveTime({ effectiveAt }: PutSchedule, now: Date): { at: Date; faults: FieldFault[] } {
  const at = effectiveAt === undefined ? now : new Date(effectiveAt);
  const ahead = at.getTime() - now.getTime();
  if (ahead > effectiveWithinDays * 86_400_000)
    return { at, faults: [timeFault(`effectiveAt must be at most ${effectiveWithinDays} days from now`)] };
  if (ahead < -toleratedMs)
    return { at, faults: [timeFault('effectiveAt must not be in the past: who was on call does not change')] };
  return { at: ahead < 0 ? now : at, faults: [] };
}

const timeFault = (message: string): FieldFault => ({ path: 'effectiveAt', rule: 'range', message });

/** Of one schedule. */
const plannedLimit = 20;

/**
 * The versions with what was sent, from a time on. Throws VALIDATION_ERROR with everything that is wrong with them.
 */
export async function changedVersions(
  tx: Tx,
  tenant: Tenant,
  before: Versions,
  sent: Omit<PutSchedule, 'name' | 'description'>,
  now: Date,
): Promise<Versions> {
  const { at, faults } = effectiveTime(sent, now);
  const layers = sent.layers?.map((layer) => ({ ...layer, id: layer.id ?? `lyr_${newUuid().replaceAll('-', '')}` }));
  const everybody = layers?.some((layer) => layer.everybody) ? await everybodyOf(tx, tenant) : [];
  const { timezone, layerMode, plannedGaps } = sent;
  const changed = changedFrom(before, at.toISOString(), (present, from) => {
    const settings = { ...settingsDefaults, ...present, layers: present.layers.map(wholeLayer) };
    const next = patch(settings, {
      timezone,
      layerMode,
      plannedGaps,
      layers: layers?.map((layer, index) => {
        const before = settings.layers.find(({ id }) => id === layer.id);
        return storedLayer(layer, layerBasics(layer, { before, number: index + 1, from }));
      }),
    });
    if (layers === undefined) return next;
    return { ...next, layers: withEverybody(next, settings, everybody, from) };
  });
  const already = before.flatMap((version) => version.layers);
  const invalid = changed.flatMap((version) => worded(validateSchedule({ ...settingsIn(version), overrides: [] })));
  throwFaults([
    ...faults,
    ...(await teamFaults(tx, tenant, sent.teamId)),
    ...(await layerFaults(tx, tenant, sent.layers ?? [], already)),
    ...invalid.filter(({ path }, i) => invalid.findIndex((other) => other.path === path) === i),
    ...(changed.length > plannedLimit + 1
      ? [timeFault(`a schedule has at most ${plannedLimit} edits that are planned for a later time`)]
      : []),
  ]);
  return changed;
}

const settingsIn = ({ timezone, layerMode, layers, plannedGaps }: ScheduleSettings): ScheduleSettings => ({
  timezone,
  layerMode,
  layers,
  plannedGaps,
});

/** Layers for everybody with their members. The turns of a layer that has the same times go on. */
function withEverybody(
  next: ScheduleSettings,
  before: ScheduleSettings,
  everybody: string[],
  from: string,
): StoredLayer[] {
  return next.layers.map((layer) => {
    if (!layer.everybody) return layer;
    const same = before.layers.find(({ id, members: _members, ...times }) => {
      const { id: nextId, members: _nextMembers, ...nextTimes } = layer;
      return id === nextId && next.timezone === before.timezone && isDeepStrictEqual(times, nextTimes);
    });
    const members = same ? membersInTurn(same, next.timezone, everybody, from) : everybody;
    return { ...layer, members };
  });
}

const utc = (instant: string): string => new Date(instant).toISOString();

const storedLayer = (
  layer: PostScheduleLayer & { id: string },
  { name, rotation, startsAt }: Pick<ScheduleLayer, 'name' | 'rotation' | 'startsAt'>,
): ScheduleLayer => ({
  timezone: layer.timezone ?? null,
  perTurn: layer.perTurn ?? 1,
  everybody: layer.everybody ?? false,
  id: layer.id,
  name,
  members: membersOf(layer).map((member) => uuidOf('member', member) ?? member),
  rotation,
  startsAt: utc(startsAt),
  endsAt: layer.endsAt ? utc(layer.endsAt) : null,
  restrictions: layer.restrictions ?? [],
});

/** The members whom a layer names; what is sent for a layer for everybody has no effect. */
const membersOf = ({ everybody, members }: { everybody?: boolean; members?: string[] }): string[] =>
  everybody ? [] : (members ?? []);

/** What the domain cannot check: the form of the ids of layers, and that their members exist. */
async function layerFaults(
  tx: Tx,
  tenant: Tenant,
  sent: PostScheduleLayer[],
  before: StoredLayer[],
): Promise<FieldFault[]> {
  const already = before.flatMap(({ members }) => members);
  const held = await holdMembers(tx, tenant, sent.flatMap(membersOf), already);
  return sent.flatMap(({ id, ...layer }, i) => [
    ...(id === undefined || layerIdForm.test(id)
      ? []
      : [
          {
            path: `layers[${i}].id`,
            rule: 'format',
            message: `layers[${i}].id must have 1 to 64 letters, digits, - or _`,
          },
        ]),
    ...membersOf(layer).flatMap((member, j) =>
      held.has(member) ? [] : unknownMember(`layers[${i}].members[${j}]`, member),
    ),
  ]);
}
