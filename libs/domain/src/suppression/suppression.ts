/**
 * Suppression windows: times in which matching alerts are suppressed. A window has one occurrence, or several by a
 * recurrence rule. An occurrence begins at a wall time in the time zone of the window. It lasts `durationSeconds` of
 * elapsed time, so clock changes do not change its length, or until the next wall time `untilTime`. No occurrence
 * begins on one of the `excludedDates`. Occurrences may overlap.
 *
 * Pure: `at` and `after` are RFC 3339 texts; results are in UTC with milliseconds. Windows must be valid
 * (`validateWindow`).
 */
import { isAbsent } from '../validation/check.js';
import type { ConditionFacts } from '../conditions/condition-facts.js';
import { everyHolds, predicateHolds } from '../conditions/condition.js';
import { evaluationBudget, type EvaluationBudget } from '../conditions/evaluation-budget.js';
import {
  neverStarts,
  nextWallTime,
  recurringStarts,
  startsExcept,
  startsOnce,
  type Starts,
} from '../time/occurrence-starts.js';
import { parseRecurrenceRule } from '../time/recurrence-rule.js';
import { day } from '../time/wall-clock.js';
import type { WindowSettings } from './suppression-settings.js';

export const windowStatuses = ['scheduled', 'active', 'expired', 'disabled'] as const;
export type WindowStatus = (typeof windowStatuses)[number];

/** An immutable record: a changed window is a new object. */
export type SuppressionWindow = WindowSettings & { id: string };

/** The fields that determine the occurrences of a window. */
export type WindowTimes = Pick<
  SuppressionWindow,
  'enabled' | 'startsAt' | 'endsAt' | 'timezone' | 'rrule' | 'durationSeconds' | 'untilTime' | 'excludedDates'
>;

/** From `startsAt` up to `endsAt`. */
export interface Occurrence {
  startsAt: string;
  endsAt: string;
}

// --- Times ----------------------------------------------------------------------------------------------------------

/** The occurrences in progress, earliest first; empty when the window is disabled. */
export function occurrencesAt(window: WindowTimes, at: string): Occurrence[] {
  const times = compileWindow(window);
  return inProgress(times, Date.parse(at)).map((start) => occurrenceFrom(start, times));
}

/** When the last occurrence in progress ends; null when there is none. */
export function activeUntil(window: WindowTimes, at: string): string | null {
  return textOf(compileWindow(window).activeUntil(Date.parse(at)));
}

/** The first occurrence that begins after an instant; null when there is none, or the window is disabled. */
export function nextOccurrence(window: WindowTimes, after: string): Occurrence | null {
  const times = compileWindow(window);
  const start = times.starts.next(Date.parse(after));
  return start === null ? null : occurrenceFrom(start, times);
}

/** The occurrences that overlap a time range, earliest first, at most `most`; empty when the window is disabled. */
export function occurrencesBetween(window: WindowTimes, since: string, until: string, most: number): Occurrence[] {
  const times = compileWindow(window);
  const [from, before] = [Date.parse(since), Date.parse(until)];
  return times.starts
    .within(from - times.longest, before - 1)
    .filter((start) => times.endOf(start) > from)
    .slice(0, most)
    .map((start) => occurrenceFrom(start, times));
}

/** The next instant at which an occurrence begins or ends and a timer must run; null when there is none. */
export function nextBoundary(window: WindowTimes, after: string): string | null {
  const { starts, longest, endOf } = compileWindow(window);
  const instant = Date.parse(after);
  const nextStart = starts.next(instant) ?? Infinity;
  const ends = starts
    .within(instant - longest - 1, instant)
    .map(endOf)
    .filter((end) => end > instant);
  return textOf(Math.min(nextStart, ...ends));
}

/** `scheduled` when a future occurrence exists, otherwise `expired`. */
export function windowStatus(window: WindowTimes, at: string): WindowStatus {
  if (!window.enabled) return 'disabled';
  if (activeUntil(window, at) !== null) return 'active';
  return nextOccurrence(window, at) === null ? 'expired' : 'scheduled';
}

const occurrenceFrom = (start: number, { endOf }: Times): Occurrence => ({
  startsAt: new Date(start).toISOString(),
  endsAt: new Date(endOf(start)).toISOString(),
});

/** The starts of the occurrences in progress. */
const inProgress = ({ starts, longest, endOf }: Times, at: number): number[] =>
  starts.within(at - longest, at).filter((start) => endOf(start) > at);

const textOf = (instant: number | null): string | null =>
  instant === null || instant === Infinity ? null : new Date(instant).toISOString();

// --- Compiled windows ------------------------------------------------------------------------------------------------

/** A window with its parsed rule. It caches the last results, so keep it, or the window, while it is in use. */
export interface CompiledWindow {
  readonly starts: Starts;
  /** No occurrence lasts longer, in milliseconds. */
  readonly longest: number;
  /** The end of the occurrence that begins at an instant. A later one does not end earlier. */
  readonly endOf: (start: number) => number;
  /** `activeUntil` in milliseconds since 1970; called for every event. */
  readonly activeUntil: (at: number) => number | null;
}

/** A window object is compiled only once. */
const compiledWindows = new WeakMap<WindowTimes, CompiledWindow>();

export function compileWindow(window: WindowTimes): CompiledWindow {
  const known = compiledWindows.get(window);
  if (known !== undefined) return known;
  const times = timesOf(window);
  const compiled = { ...times, activeUntil: rememberingEnd(times) };
  compiledWindows.set(window, compiled);
  return compiled;
}

type Times = Pick<CompiledWindow, 'starts' | 'longest' | 'endOf'>;

const lasting = (duration: number): Omit<Times, 'starts'> => ({
  longest: duration,
  endOf: (start) => start + duration,
});

function timesOf(window: WindowTimes): Times {
  const { enabled, startsAt, endsAt, timezone, rrule, durationSeconds, untilTime, excludedDates } = window;
  if (!enabled) return { starts: neverStarts, ...lasting(0) };
  const start = Date.parse(startsAt);
  const end = isAbsent(endsAt) ? Infinity : Date.parse(endsAt);
  if (isAbsent(rrule)) return { starts: startsOnce(start), ...lasting(end - start) };
  const rule = parseRecurrenceRule(rrule);
  if (rule.kind === 'fault') throw new TypeError(`the window is not validated: ${rule.message}`);
  const starts = startsExcept(
    recurringStarts({ rule, startsAt: start, endsAt: end, timezone }),
    new Set(excludedDates ?? []),
    timezone,
  );
  // A day, and the most by which clocks went back.
  if (!isAbsent(untilTime)) return { starts, longest: 2 * day, endOf: nextWallTime(untilTime, timezone) };
  return { starts, ...lasting(durationSeconds! * 1_000) };
}

/** A time, from `from` to `before`, during which the same occurrence ends last; null when none is in progress. */
interface Stretch {
  from: number;
  before: number;
  until: number | null;
}

/** Events arrive in order of time, so a cached result is valid for thousands of events. */
function rememberingEnd(times: Times): (at: number) => number | null {
  let stretch: Stretch = { from: Infinity, before: -Infinity, until: null };
  return (at) => {
    if (at < stretch.from || at >= stretch.before) stretch = stretchAt(at, times);
    return stretch.until;
  };
}

/** The last occurrence to begin is the last one to end. */
function stretchAt(at: number, times: Times): Stretch {
  const latest = inProgress(times, at).at(-1);
  const next = times.starts.next(at) ?? Infinity;
  if (latest === undefined) return { from: at, before: next, until: null };
  const until = times.endOf(latest);
  return { from: latest, before: Math.min(next, until), until };
}

// --- Alerts ---------------------------------------------------------------------------------------------------------

/**
 * Whether a window matches an alert, at any time. A matcher that could not be evaluated (evaluation-budget.ts) does not
 * match: a window that is in doubt hides nothing.
 */
export const windowMatches = (window: SuppressionWindow, facts: ConditionFacts, budget?: EvaluationBudget): boolean =>
  windowResult(window, facts, budget) === true;

/** Null when a matcher could not be evaluated, and the others match. */
function windowResult(
  { matchers, clientIds, integrationIds, exceptSeverities }: SuppressionWindow,
  facts: ConditionFacts,
  budget: EvaluationBudget = evaluationBudget(),
): boolean | null {
  const { alert } = facts;
  return (
    alert !== null &&
    !exceptSeverities.includes(alert.severity) &&
    (clientIds.length === 0 || (alert.clientId !== null && clientIds.includes(alert.clientId))) &&
    (integrationIds.length === 0 || integrationIds.includes(alert.integrationId)) &&
    everyHolds(matchers, (matcher) => predicateHolds(matcher, facts, budget))
  );
}

/** An active window, and whether it matches an alert. */
export interface ConsideredWindow {
  window: SuppressionWindow;
  /** When the last of its occurrences in progress ends, in milliseconds. */
  until: number;
  matches: boolean;
  /** Its matchers could not be evaluated: see `windowMatches`. */
  undecided?: true;
}

/** The active windows in the given order, and whether each matches the alert. */
export function considerWindows(
  windows: readonly SuppressionWindow[],
  facts: ConditionFacts,
  at: string,
  budget: EvaluationBudget = evaluationBudget(),
): ConsideredWindow[] {
  const instant = Date.parse(at);
  const considered: ConsideredWindow[] = [];
  for (const window of windows) {
    const until = compileWindow(window).activeUntil(instant);
    if (until === null) continue;
    const result = windowResult(window, facts, budget);
    considered.push({ window, until, matches: result === true, ...(result === null && { undecided: true }) });
  }
  return considered;
}

/** Of the matching windows, the one that ends last (of several, the one with the smallest id), and its end. */
export function suppressingAmong(
  considered: readonly ConsideredWindow[],
): { window: SuppressionWindow; until: string } | null {
  let suppressing: ConsideredWindow | null = null;
  for (const one of considered) {
    if (!one.matches) continue;
    if (
      suppressing === null ||
      one.until > suppressing.until ||
      (one.until === suppressing.until && one.window.id < suppressing.window.id)
    )
      suppressing = one;
  }
  return suppressing && { window: suppressing.window, until: new Date(suppressing.until).toISOString() };
}

/** The window that suppresses an alert at a time; see `suppressingAmong`. */
export const suppressingWindow = (windows: readonly SuppressionWindow[], facts: ConditionFacts, at: string) =>
  suppressingAmong(considerWindows(windows, facts, at));
