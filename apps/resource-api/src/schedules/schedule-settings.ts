/** The settings of a schedule that a caller sends: checked, and in the form in which they are stored. */
import {
  newUuid,
  uuidOf,
  type FieldFault,
  type PostScheduleLayer,
  type PutSchedule,
  type Tenant,
} from '@ams/contracts';
import type { Tx } from '@ams/database';
import { validateSchedule, type ScheduleLayer } from '@ams/domain';
import { holdMembers, unknownMember } from '../members/member-queries.js';
import { patch, settingsOf } from '../records/entity-records.js';
import { throwFaults } from '../records/throw-faults.js';
import { teamFaults, teamUuid } from '../teams/held-team.js';
import type { ScheduleEntity } from './schedule.entity.js';

/** The settings of a schedule that a caller can set. */
export type ScheduleSettings = Pick<ScheduleEntity, 'name' | 'description' | 'teamId' | 'timezone' | 'layers'>;

export const scheduleDefaults: ScheduleSettings = {
  name: '',
  description: null,
  teamId: null,
  timezone: 'UTC',
  layers: [],
};

const layerIdForm = /^[A-Za-z0-9_-]{1,64}$/;

/** The settings with what was sent. Throws VALIDATION_ERROR with everything that is wrong with them. */
export async function changedSettings(
  tx: Tx,
  tenant: Tenant,
  before: ScheduleSettings,
  sent: PutSchedule,
): Promise<ScheduleSettings> {
  const changes = { ...sent, teamId: teamUuid(sent.teamId), layers: sent.layers?.map(storedLayer) };
  const settings = patch(settingsOf(scheduleDefaults, before), changes);
  throwFaults([
    ...(await teamFaults(tx, tenant, sent.teamId)),
    ...(await layerFaults(tx, tenant, sent.layers ?? [], before.layers)),
    ...validateSchedule({ timezone: settings.timezone, layers: settings.layers, overrides: [] }),
  ]);
  return settings;
}

const utc = (instant: string): string => new Date(instant).toISOString();

const storedLayer = (layer: PostScheduleLayer): ScheduleLayer => ({
  id: layer.id ?? `lyr_${newUuid().replaceAll('-', '')}`,
  name: layer.name,
  members: layer.members.map((member) => uuidOf('member', member) ?? member),
  rotation: { ...layer.rotation, handoffDay: layer.rotation.handoffDay ?? null },
  startsAt: utc(layer.startsAt),
  endsAt: layer.endsAt ? utc(layer.endsAt) : null,
  restrictions: layer.restrictions ?? [],
});

/** What the domain cannot check: the form of the ids of layers, and that their members exist. */
async function layerFaults(
  tx: Tx,
  tenant: Tenant,
  sent: PostScheduleLayer[],
  before: ScheduleLayer[],
): Promise<FieldFault[]> {
  const membersOf = (layers: { members: string[] }[]): string[] => layers.flatMap(({ members }) => members);
  const held = await holdMembers(tx, tenant, membersOf(sent), membersOf(before));
  return sent.flatMap(({ id, members }, i) => [
    ...(id === undefined || layerIdForm.test(id)
      ? []
      : [{ path: `layers[${i}].id`, rule: 'format', message: 'must have 1 to 64 letters, digits, - or _' }]),
    ...members.flatMap((member, j) => (held.has(member) ? [] : unknownMember(`layers[${i}].members[${j}]`, member))),
  ]);
}
