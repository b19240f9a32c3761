/**
 * Suppression windows: times in which alerts that match stay quiet (decisions §10). A window happens once, or again and
 * again by a recurrence rule. Each time is an occurrence, from `startsAt` up to `endsAt`: it begins in the wall time of the
 * window's zone and lasts `durationSeconds` as a stop-watch counts them, so one that is under way while clocks change is
 * not longer or shorter for that. Occurrences may overlap.
 *
 * Pure: `at` and `after` are RFC 3339 texts, times that come out are in UTC with milliseconds. The windows have to be such
 * that `validateWindow` finds no fault with them.
 */
import { isAbsent } from '../validation/check.js';
import type { ConditionFacts } from '../conditions/condition-facts.js';
import { predicateHolds } from '../conditions/condition.js';
import { type Predicate } from '../conditions/condition-schema.js';
import { neverStarts, recurringStarts, startsOnce, type Starts } from '../time/occurrence-starts.js';
import { parseRecurrenceRule } from '../time/recurrence-rule.js';
import type { Severity } from '../alerts/severity.js';

export const windowStatuses = ['scheduled', 'active', 'expired', 'disabled'] as const;
export type WindowStatus = (typeof windowStatuses)[number];

export const windowEnds = ['resume', 'resolve'] as const;
export type WindowEnd = (typeof windowEnds)[number];

/** A record that is never changed in place: whoever changes a window makes another object. */
export interface SuppressionWindow {
  id: string;
  enabled: boolean;
  /** All of them must hold. */
  matchers: Predicate[];
  /** Of alerts about one of these clients; about any, or none, when the list is empty. */
  clientIds: string[];
  /** Of alerts from one of these integrations; from any when the list is empty. */
  integrationIds: string[];
  exceptSeverities: Severity[];
  /** That a window without matchers, clients and integrations is meant. */
  matchAll: boolean;
  /** When the window begins; of a recurring one, what its rule counts from, and before which nothing begins. */
  startsAt: string;
  /** When the window ends; of a recurring one, null for never: no occurrence begins then or later, one that has begun goes on. */
  endsAt: string | null;
  /** Of the IANA database. */
  timezone: string;
  /** An RRULE (RFC 5545); null for a window that happens once. */
  rrule: string | null;
  /** Of each occurrence; null for a window that happens once. */
  durationSeconds: number | null;
  /** What becomes of the alerts that it hides. */
  onEnd: WindowEnd;
}

/** What the occurrences of a window follow from. */
export type WindowTimes = Pick<
  SuppressionWindow,
  'enabled' | 'startsAt' | 'endsAt' | 'timezone' | 'rrule' | 'durationSeconds'
>;

/** From `startsAt` up to `endsAt`. */
export interface Occurrence {
  startsAt: string;
  endsAt: string;
}

// --- Times ----------------------------------------------------------------------------------------------------------

/** The occurrences that are under way, the earliest first; none when the window is disabled. */
export function occurrencesAt(window: WindowTimes, at: string): Occurrence[] {
  const { starts, duration } = compileWindow(window);
  const instant = Date.parse(at);
  return starts.within(instant - duration, instant).map((start) => occurrenceFrom(start, duration));
}

/** When the last of the occurrences that are under way ends; null when none is. */
export function activeUntil(window: WindowTimes, at: string): string | null {
  return textOf(compileWindow(window).activeUntil(Date.parse(at)));
}

/** The first occurrence that begins after an instant; null when there is none, or the window is disabled. */
export function nextOccurrence(window: WindowTimes, after: string): Occurrence | null {
  const { starts, duration } = compileWindow(window);
  const start = starts.next(Date.parse(after));
  return start === null ? null : occurrenceFrom(start, duration);
}

/** The next instant at which an occurrence begins or ends, when a timer has to look again; null when there is none. */
export function nextBoundary(window: WindowTimes, after: string): string | null {
  const { starts, duration } = compileWindow(window);
  const instant = Date.parse(after);
  const nextStart = starts.next(instant) ?? Infinity;
  const nextEnd = (starts.next(instant - duration) ?? Infinity) + duration;
  return textOf(Math.min(nextStart, nextEnd));
}

/** `scheduled` when an occurrence is still to come, `expired` when none is. */
export function windowStatus(window: WindowTimes, at: string): WindowStatus {
  if (!window.enabled) return 'disabled';
  if (activeUntil(window, at) !== null) return 'active';
  return nextOccurrence(window, at) === null ? 'expired' : 'scheduled';
}

const occurrenceFrom = (start: number, duration: number): Occurrence => ({
  startsAt: new Date(start).toISOString(),
  endsAt: new Date(start + duration).toISOString(),
});

const textOf = (instant: number | null): string | null =>
  instant === null || instant === Infinity ? null : new Date(instant).toISOString();

// --- Windows that are ready for use ---------------------------------------------------------------------------------

/** A window whose rule is read. It remembers what it was asked last, so keep it, or the window, for as long as it is in use. */
export interface CompiledWindow {
  readonly starts: Starts;
  /** Of each occurrence, in milliseconds. */
  readonly duration: number;
  /** `activeUntil` in milliseconds since 1970: for every event that comes in. */
  readonly activeUntil: (at: number) => number | null;
}

/** A window object is compiled once, however often it is asked about. */
const compiledWindows = new WeakMap<WindowTimes, CompiledWindow>();

export function compileWindow(window: WindowTimes): CompiledWindow {
  const known = compiledWindows.get(window);
  if (known !== undefined) return known;
  const times = timesOf(window);
  const compiled = { ...times, activeUntil: rememberingEnd(times) };
  compiledWindows.set(window, compiled);
  return compiled;
}

type Times = Pick<CompiledWindow, 'starts' | 'duration'>;

function timesOf({ enabled, startsAt, endsAt, timezone, rrule, durationSeconds }: WindowTimes): Times {
  if (!enabled) return { starts: neverStarts, duration: 0 };
  const start = Date.parse(startsAt);
  const end = isAbsent(endsAt) ? Infinity : Date.parse(endsAt);
  if (isAbsent(rrule)) return { starts: startsOnce(start), duration: end - start };
  const rule = parseRecurrenceRule(rrule);
  if (rule.kind === 'fault') throw new TypeError(`the window was not validated: ${rule.message}`);
  return {
    starts: recurringStarts({ rule, startsAt: start, endsAt: end, timezone }),
    duration: durationSeconds! * 1_000,
  };
}

/** A time, from `from` up to `before`, during which the same occurrence is the last to end; null when none is under way. */
interface Stretch {
  from: number;
  before: number;
  until: number | null;
}

/** Events come in order of time, so what holds of one holds of the thousands that follow. */
function rememberingEnd(times: Times): (at: number) => number | null {
  let stretch: Stretch = { from: Infinity, before: -Infinity, until: null };
  return (at) => {
    if (at < stretch.from || at >= stretch.before) stretch = stretchAt(at, times);
    return stretch.until;
  };
}

/** All occurrences last equally long, so the last to begin is the last to end. */
function stretchAt(at: number, { starts, duration }: Times): Stretch {
  const latest = starts.within(at - duration, at).at(-1);
  const next = starts.next(at) ?? Infinity;
  if (latest === undefined) return { from: at, before: next, until: null };
  const until = latest + duration;
  return { from: latest, before: Math.min(next, until), until };
}

// --- Alerts ---------------------------------------------------------------------------------------------------------

/** Whether a window is about an alert, at whatever time. */
export function windowMatches(
  { matchers, clientIds, integrationIds, exceptSeverities }: SuppressionWindow,
  facts: ConditionFacts,
): boolean {
  const { alert } = facts;
  return (
    alert !== null &&
    !exceptSeverities.includes(alert.severity) &&
    (clientIds.length === 0 || (alert.clientId !== null && clientIds.includes(alert.clientId))) &&
    (integrationIds.length === 0 || integrationIds.includes(alert.integrationId)) &&
    matchers.every((matcher) => predicateHolds(matcher, facts))
  );
}

/** A window that is active, and whether it is about an alert. */
export interface ConsideredWindow {
  window: SuppressionWindow;
  /** When the last of its occurrences that are under way ends, in milliseconds. */
  until: number;
  matches: boolean;
}

/** The windows that are active, in the order in which they are given, and whether each is about the alert. */
export function considerWindows(
  windows: readonly SuppressionWindow[],
  facts: ConditionFacts,
  at: string,
): ConsideredWindow[] {
  const instant = Date.parse(at);
  const considered: ConsideredWindow[] = [];
  for (const window of windows) {
    const until = compileWindow(window).activeUntil(instant);
    if (until !== null) considered.push({ window, until, matches: windowMatches(window, facts) });
  }
  return considered;
}

/** Of the windows that match, the one that ends last (of several the one with the smallest id), and when. */
export function hidingAmong(
  considered: readonly ConsideredWindow[],
): { window: SuppressionWindow; until: string } | null {
  let hiding: ConsideredWindow | null = null;
  for (const one of considered) {
    if (!one.matches) continue;
    if (hiding === null || one.until > hiding.until || (one.until === hiding.until && one.window.id < hiding.window.id))
      hiding = one;
  }
  return hiding && { window: hiding.window, until: new Date(hiding.until).toISOString() };
}

/** Which of the windows hides an alert at a time: see `hidingAmong`. */
export const hidingWindow = (windows: readonly SuppressionWindow[], facts: ConditionFacts, at: string) =>
  hidingAmong(considerWindows(windows, facts, at));
