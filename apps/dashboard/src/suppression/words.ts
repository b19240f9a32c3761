/** A window as a sentence: when it is active, what it hides, what happens after it. */
import { isolated, listed, predicateText } from '../conditions/words.js';
import { texts } from '../texts/texts.js';
import type { NameOf } from '../ui/record-names.js';
import { shortTime, duration, spanTexts } from '../ui/time.js';
import { repetitionOf } from './repetition.js';
import type { WindowValues } from './window.js';

const { words, repetition: said, days } = texts.suppression;

export type Described = Pick<
  WindowValues,
  'matchers' | 'clientIds' | 'integrationIds' | 'exceptSeverities' | 'onEnd' | 'enabled'
> &
  Omit<WindowTimesInWords, 'endsAt'> & { endsAt: string | null };

interface WindowTimesInWords {
  startsAt: string;
  endsAt: string | null;
  timezone: string;
  rrule: string | null;
  durationSeconds: number | null;
  untilTime: string | null;
  excludedDates: readonly string[];
}

/** The zone is that of the reader for a window of one time, and that of the window for one that repeats. */
export function whenText(window: WindowTimesInWords, zone: string, now: number): string {
  const { startsAt, endsAt, timezone, rrule, durationSeconds, untilTime, excludedDates } = window;
  const at = (time: string, inZone: string): string =>
    Number.isNaN(Date.parse(time)) ? texts.conditions.empty : shortTime(time, inZone, now);
  if (rrule === null) {
    const areKnown = [startsAt, endsAt ?? ''].every((time) => !Number.isNaN(Date.parse(time)));
    if (areKnown) return words.once(...spanTexts(startsAt, endsAt ?? '', zone, now));
    return words.once(at(startsAt, zone), at(endsAt ?? '', zone));
  }
  const clock = at(startsAt, timezone).split(', ').at(-1) ?? '';
  let text = words.repeats(ruleText(rrule), clock);
  if (untilTime !== null) text = words.untilTime(text, untilTime);
  else if (durationSeconds !== null) text = words.forLength(text, duration(durationSeconds));
  text = words.inZone(text, isolated(timezone));
  if (endsAt) text = words.notAfter(text, at(endsAt, timezone));
  return excludedDates.length === 0 ? text : words.without(text, excludedDates.length);
}

export function ruleText(rule: string): string {
  const one = repetitionOf(rule);
  switch (one.kind) {
    case 'DAILY':
      return said.daily(one.every);
    case 'WEEKLY':
      return said.weekly(
        one.every,
        listed(
          one.days.map((day) => days[day]),
          texts.conditions.and,
        ),
      );
    case 'MONTHLY':
      if (one.monthly.on === 'start') return said.monthlyStart(one.every);
      if (one.monthly.on === 'date') return said.monthlyDate(one.every, String(one.monthly.date));
      return said.monthlyDay(one.every, said.nth[String(one.monthly.nth)] ?? '', days[one.monthly.weekday]);
    case 'custom':
      return said.custom(isolated(one.rule));
  }
}

type Scope = Pick<WindowValues, 'matchers' | 'clientIds' | 'integrationIds' | 'exceptSeverities'>;

/** `alerts of Acme whose label region is "eu", but not critical ones`. */
export function whatText({ matchers, clientIds, integrationIds, exceptSeverities }: Scope, nameOf: NameOf): string {
  const isEvery = matchers.length === 0 && clientIds.length === 0 && integrationIds.length === 0;
  const names = (noun: 'client' | 'integration', ids: readonly string[]): string =>
    listed(
      ids.map((id) => isolated(nameOf(noun, id) ?? words[noun])),
      texts.conditions.or,
    );
  const parts = [isEvery ? words.every : words.alerts];
  if (clientIds.length > 0) parts.push(words.ofClients(names('client', clientIds)));
  if (integrationIds.length > 0) parts.push(words.fromIntegrations(names('integration', integrationIds)));
  if (matchers.length > 0) {
    parts.push(words.whose(matchers.map((matcher) => predicateText(matcher, nameOf)).join(texts.conditions.and)));
  }
  const text = parts.join(' ');
  if (exceptSeverities.length === 0) return text;
  const severities = exceptSeverities.map((severity) => texts.ui.severity[severity].toLowerCase());
  return text + words.except(listed(severities, texts.conditions.or));
}

/** Everything about the window. */
export function windowText(window: Described, nameOf: NameOf, zone: string, now: number): string {
  const text = words.hides(whenText(window, zone, now), whatText(window, nameOf));
  const end = window.onEnd === 'resume' ? words.resume : words.resolve;
  return [text, end, ...(window.enabled ? [] : [words.off])].join(' ');
}
