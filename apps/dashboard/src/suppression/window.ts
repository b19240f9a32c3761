/** A suppression window as its form edits it, and as the API takes it. */
import type { components } from '@ams/client';
import type { Body } from '../api/operation-types.js';
import type { Predicate } from '../conditions/fields.js';

export type SuppressionWindow = components['schemas']['SuppressionWindow'];
export type Severity = components['schemas']['Severity'];

export interface WindowValues {
  name: string;
  reason: string;
  enabled: boolean;
  teamId: string | null;
  matchers: Predicate[];
  clientIds: string[];
  integrationIds: string[];
  exceptSeverities: Severity[];
  matchAll: boolean;
  startsAt: string;
  /** Empty: none. */
  endsAt: string;
  timezone: string;
  /** Null: one time. */
  rrule: string | null;
  durationSeconds: number | null;
  untilTime: string | null;
  excludedDates: string[];
  onEnd: 'resume' | 'resolve';
}

export const valuesOf = (window: SuppressionWindow): WindowValues => ({
  name: window.name,
  reason: window.reason ?? '',
  enabled: window.enabled,
  teamId: window.teamId,
  matchers: window.matchers,
  clientIds: window.clientIds,
  integrationIds: window.integrationIds,
  exceptSeverities: window.exceptSeverities,
  matchAll: window.matchAll,
  startsAt: window.startsAt,
  endsAt: window.endsAt ?? '',
  timezone: window.timezone,
  rrule: window.rrule,
  durationSeconds: window.durationSeconds,
  untilTime: window.untilTime,
  excludedDates: window.excludedDates,
  onEnd: window.onEnd,
});

export const hour = 3_600_000;
const minute = 60_000;

/** What the address brings: 'silence this' names the matchers of an alert. */
export interface Prefilled {
  name?: string | undefined;
  matchers?: readonly Predicate[] | undefined;
  integrationId?: string | undefined;
  clientId?: string | undefined;
}

/** From now on, for an hour. */
export function newWindow(now: number, timezone: string, prefilled: Prefilled = {}): WindowValues {
  const startsAt = Math.floor(now / minute) * minute;
  return {
    name: prefilled.name ?? '',
    reason: '',
    enabled: true,
    teamId: null,
    matchers: [...(prefilled.matchers ?? [])],
    clientIds: prefilled.clientId ? [prefilled.clientId] : [],
    integrationIds: prefilled.integrationId ? [prefilled.integrationId] : [],
    exceptSeverities: [],
    matchAll: false,
    startsAt: new Date(startsAt).toISOString(),
    endsAt: new Date(startsAt + hour).toISOString(),
    timezone,
    rrule: null,
    durationSeconds: null,
    untilTime: null,
    excludedDates: [],
    onEnd: 'resume',
  };
}

/** The matchers of an address; none when it is not a list of comparisons. */
export function matchersIn(text: string | undefined): Predicate[] {
  if (text === undefined) return [];
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value.filter(isPredicate).slice(0, 20) : [];
  } catch {
    return [];
  }
}

const isPredicate = (value: unknown): value is Predicate => {
  const { field, op, value: compared } = (value ?? {}) as Record<string, unknown>;
  return typeof field === 'string' && typeof op === 'string' && compared !== undefined && compared !== null;
};

/** Without matchers, clients and integrations, a window hides every alert. */
export const isUnlimited = ({ matchers, clientIds, integrationIds }: WindowValues): boolean =>
  matchers.length === 0 && clientIds.length === 0 && integrationIds.length === 0;

export type WindowBody = Body<'createSuppressionWindow'>;

export function bodyOf(values: WindowValues): WindowBody {
  const isOnce = values.rrule === null;
  return {
    ...values,
    reason: values.reason.trim() === '' ? null : values.reason,
    endsAt: values.endsAt === '' ? null : values.endsAt,
    matchAll: isUnlimited(values) && values.matchAll,
    durationSeconds: isOnce ? null : values.durationSeconds,
    untilTime: isOnce ? null : values.untilTime,
    excludedDates: isOnce ? [] : values.excludedDates,
  };
}

/** A window of one time becomes a repeated one of the same length, and the other way round. */
export function withRecurrence(values: WindowValues, isRecurring: boolean): WindowValues {
  if (isRecurring === (values.rrule !== null)) return values;
  if (!isRecurring) {
    const length = (values.durationSeconds ?? 3600) * 1000;
    const endsAt = new Date(Date.parse(values.startsAt) + length).toISOString();
    return { ...values, rrule: null, durationSeconds: null, untilTime: null, endsAt };
  }
  const length = Math.round((Date.parse(values.endsAt) - Date.parse(values.startsAt)) / 1000);
  return {
    ...values,
    rrule: 'FREQ=WEEKLY',
    durationSeconds: length >= 60 ? Math.min(length, 31 * 86_400) : 3600,
    untilTime: null,
    endsAt: '',
  };
}

/** The settings that decide which alerts are hidden: what a preview is asked about. */
export const scopeOf = (values: WindowValues): Body<'previewSuppressionWindow'> => {
  const { matchers, clientIds, integrationIds, exceptSeverities, matchAll } = bodyOf(values);
  return { matchers, clientIds, integrationIds, exceptSeverities, matchAll };
};
