/**
 * The versions of a schedule. An edit counts from an instant on, and never changes the answer for an earlier time.
 * Versions are lists in the order of their times; the first one counts for all time before the second.
 */
import { isDeepStrictEqual } from 'node:util';
import { turnAt } from './rotation.js';
import {
  wholeLayer,
  type OnCallSchedule,
  type ScheduleOverride,
  type ScheduleSettings,
  type ScheduleVersion,
  type StoredLayer,
} from './schedule.js';

export type Versions = readonly [ScheduleVersion, ...ScheduleVersion[]];

/** `from` is the time from which the changed settings count. */
export type SettingsChange = (settings: ScheduleVersion, from: string) => ScheduleSettings;

/**
 * The versions after an edit that counts from an instant (RFC 3339) on. The versions that begin later are changed, too:
 * what was planned for a later time keeps what the edit does not name. A version that changes nothing is left out.
 */
export function changedFrom(versions: Versions, at: string, change: SettingsChange): Versions {
  const [first, ...others] = versions.filter((version) => begins(version) < Date.parse(at));
  const later = versions.filter((version) => begins(version) > Date.parse(at));
  const present = versionAt(versions, at);
  const changed = [{ ...present, effectiveFrom: at }, ...later].map((version) => {
    const from = version.effectiveFrom ?? at;
    return { ...change(version, from), effectiveFrom: from };
  });
  const kept: [ScheduleVersion, ...ScheduleVersion[]] = first === undefined ? [changed.shift()!] : [first, ...others];
  for (const version of changed) if (!sameSettings(kept.at(-1)!, version)) kept.push(version);
  return kept;
}

const begins = ({ effectiveFrom }: ScheduleVersion): number =>
  effectiveFrom === null ? -Infinity : Date.parse(effectiveFrom);

/** The version that counts at an instant. */
export const versionAt = (versions: Versions, at: string): ScheduleVersion =>
  versions.findLast((version) => begins(version) <= Date.parse(at)) ?? versions[0];

export const sameSettings = (a: ScheduleSettings, b: ScheduleSettings): boolean =>
  isDeepStrictEqual(settingsOf(a), settingsOf(b));

const settingsOf = ({ timezone, layerMode, layers, plannedGaps }: ScheduleSettings): ScheduleSettings => ({
  timezone,
  layerMode: layerMode ?? 'last',
  layers: layers.map(wholeLayer),
  plannedGaps: plannedGaps ?? [],
});

/** The start of the first version is not needed: it counts for all time before. */
export function onCallSchedule([first, ...later]: Versions, overrides: ScheduleOverride[] = []): OnCallSchedule {
  return {
    ...settingsOf(first),
    overrides,
    laterVersions: later.map((version) => ({ ...version, effectiveFrom: version.effectiveFrom ?? '' })),
  };
}

/**
 * The members of a layer with `everybody`, after somebody joined or left: those in `everybody`, in turn in their order,
 * begun at such a place that at the instant the member who has the turn keeps it. If that member left, the turn is of
 * the next one who stayed.
 */
export function membersInTurn(
  layer: StoredLayer,
  timezone: string,
  everybody: readonly string[],
  at: string,
): string[] {
  const instant = Date.parse(at);
  const { members, perTurn = 1 } = layer;
  if (everybody.length === 0 || members.length === 0 || instant <= Date.parse(layer.startsAt)) return [...everybody];
  const place = turnAt(instant, layer, layer.timezone ?? timezone) * perTurn;
  const follow = members.map((_, i) => members[(place + i) % members.length]!);
  const present = follow.find((member) => everybody.includes(member));
  if (present === undefined) return [...everybody];
  const shift = (place - everybody.indexOf(present)) % everybody.length;
  return everybody.map((_, i) => everybody[(i - shift + everybody.length) % everybody.length]!);
}
