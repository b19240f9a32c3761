/** Times as text. All take RFC 3339 texts, as the API writes them, and the zone to show them in. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const name = zone + JSON.stringify(options);
  let format = formats.get(name);
  if (!format) formats.set(name, (format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, ...options })));
  return format;
}

const units: [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365.25 * 86_400],
  ['month', 30.44 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
];

const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto', style: 'narrow' });

/** `5m ago`, `in 2h`; `now` within five seconds. */
export function relativeTime(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Number.isNaN(seconds)) return '';
  if (Math.abs(seconds) < 5) return relative.format(0, 'second');
  const [unit, length] = units.find(([, size]) => Math.abs(seconds) >= size) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / length), unit);
}

/** `1h 5m`: a length in seconds with its two largest units. */
export function duration(seconds: number): string {
  const parts: string[] = [];
  let rest = Math.max(0, Math.round(seconds));
  for (const [unit, size] of [
    ['d', 86_400],
    ['h', 3600],
    ['m', 60],
    ['s', 1],
  ] as const) {
    const count = Math.floor(rest / size);
    rest -= count * size;
    if (count > 0) parts.push(`${count}${unit}`);
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break;
  }
  return parts.join(' ') || '0s';
}

/** `Sun, 22 Nov 2026, 19:33:45 UTC`. */
export const exactTime = (at: string, zone: string): string =>
  formatOf(zone, {
    weekday: 'short',
    day: '2-digit',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  }).format(new Date(at));

/** `19:33:45`. */
export const clockTime = (at: string, zone: string): string =>
  formatOf(zone, { hour: '2-digit', minute: '2-digit', second: '2-digit' }).format(new Date(at));

/** Start and end of a span, as `22 Nov, 19:33` and `21:33`: the end has its day only when it is another one. */
export function spanTexts(from: string, to: string, zone: string, now: number): [start: string, end: string] {
  const [start, end] = [shortTime(from, zone, now), shortTime(to, zone, now)];
  const dayOf = (text: string): string => text.slice(0, text.lastIndexOf(','));
  return [start, dayOf(start) === dayOf(end) ? end.slice(dayOf(end).length + 2) : end];
}

/** `22 Nov, 19:33`; with the year when it is not that of `now`. */
export function shortTime(at: string, zone: string, now: number): string {
  const year = formatOf(zone, { year: 'numeric' });
  const isThisYear = year.format(new Date(at)) === year.format(now);
  return formatOf(zone, {
    day: 'numeric',
    month: 'short',
    ...(isThisYear ? {} : { year: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
  }).format(new Date(at));
}
