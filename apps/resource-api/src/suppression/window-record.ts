/** Suppression windows as the API answers them. Ids of clients and integrations are UUIDs where they are stored. */
import { uuidsOf } from '@ams/alerting';
import { publicId, uuidOf, type PutSuppressionWindow, type SuppressionWindow } from '@ams/contracts';
import type { WindowStatus } from '@ams/domain';
import type { RecordKind } from '../records/entity-records.js';
import { SuppressionWindowEntity } from './suppression-window.entity.js';

export const windows: RecordKind<SuppressionWindowEntity> = {
  entity: SuppressionWindowEntity,
  noun: 'suppressionWindow',
  resource: 'suppression_window',
};

/** The settings of a window that a caller can set, in the form of the record. */
export type WindowSettings = Required<PutSuppressionWindow>;

export const windowRecord = (
  window: SuppressionWindowEntity,
  { status, suppressedCount }: { status: WindowStatus; suppressedCount: number },
): SuppressionWindow => ({
  id: publicId('suppressionWindow', window.id),
  name: window.name,
  reason: window.reason,
  enabled: window.enabled,
  teamId: publicId('team', window.teamId),
  matchers: window.matchers,
  clientIds: window.clientIds.map((id) => publicId('client', id)),
  integrationIds: window.integrationIds.map((id) => publicId('integration', id)),
  exceptSeverities: window.exceptSeverities,
  matchAll: window.matchAll,
  startsAt: window.startsAt.toISOString(),
  endsAt: window.endsAt?.toISOString() ?? null,
  timezone: window.timezone,
  rrule: window.rrule,
  durationSeconds: window.durationSeconds,
  onEnd: window.onEnd,
  status,
  suppressedCount,
  createdBy: window.createdBy,
  createdAt: window.createdAt.toISOString(),
  updatedAt: window.updatedAt.toISOString(),
  version: window.version,
});

/** The columns that a caller decides. */
export const storedSettings = (settings: WindowSettings) => ({
  name: settings.name,
  reason: settings.reason,
  enabled: settings.enabled,
  teamId: settings.teamId === null ? null : uuidOf('team', settings.teamId),
  matchers: settings.matchers,
  clientIds: uuidsOf('client', settings.clientIds),
  integrationIds: uuidsOf('integration', settings.integrationIds),
  exceptSeverities: settings.exceptSeverities,
  matchAll: settings.matchAll,
  startsAt: new Date(settings.startsAt),
  endsAt: settings.endsAt === null ? null : new Date(settings.endsAt),
  timezone: settings.timezone,
  rrule: settings.rrule,
  durationSeconds: settings.durationSeconds,
  onEnd: settings.onEnd,
});
