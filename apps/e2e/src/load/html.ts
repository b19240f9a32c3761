/** The report of a run as one HTML file, with plots in SVG and no outside resources. */
import type { Interval, KindFigures } from './results.js';
import type { LoadReport } from './run-load.js';

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escaped = (text: string | number): string => String(text).replace(/[&<>"]/g, (one) => entities[one] ?? one);

interface Line {
  name: string;
  colour: string;
  value: (interval: Interval) => number | null;
}

const width = 860;
const height = 220;
const left = 56;
const bottom = 24;
const top = 28;

/** A step of 1, 2 or 5 times a power of ten. */
function stepOf(max: number): number {
  const power = 10 ** Math.floor(Math.log10(max / 4));
  return [1, 2, 5, 10].map((n) => n * power).find((step) => max / step <= 5) ?? max;
}

function plotOf(title: string, unit: string, intervals: readonly Interval[], lines: readonly Line[]): string {
  const values = intervals.flatMap((interval) => lines.map(({ value }) => value(interval) ?? 0));
  const max = Math.max(1, ...values);
  const last = Math.max(1, intervals.at(-1)?.at ?? 1);
  const x = (at: number): string => (left + ((width - left - 8) * at) / last).toFixed(1);
  const y = (value: number): string => (height - bottom - ((height - bottom - top) * value) / max).toFixed(1);
  const step = stepOf(max);
  const ticks = Array.from({ length: Math.floor(max / step) + 1 }, (_, n) => n * step);
  // A line ends where there is no value, and goes on behind it.
  const runsOf = ({ value }: Line): string[] => {
    const runs: string[][] = [[]];
    for (const interval of intervals) {
      const one = value(interval);
      if (one === null) runs.push([]);
      else runs.at(-1)?.push(`${x(interval.at)},${y(one)}`);
    }
    return runs.filter((run) => run.length > 0).map((run) => run.join(' '));
  };
  return `<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<text x="${left}" y="16" class="title">${escaped(title)} (${escaped(unit)})</text>
${ticks
  .map(
    (tick) =>
      `<line x1="${left}" x2="${width - 8}" y1="${y(tick)}" y2="${y(tick)}" class="grid"/>` +
      `<text x="${left - 6}" y="${y(tick)}" class="tick" text-anchor="end">${Number(tick.toPrecision(3))}</text>`,
  )
  .join('\n')}
<text x="${width - 8}" y="${height - 6}" class="tick" text-anchor="end">${last} s</text>
${lines
  .map(
    (line, n) =>
      `${runsOf(line)
        .map((points) => `<polyline points="${points}" fill="none" stroke="${line.colour}" stroke-width="1.5"/>`)
        .join('')}<text x="${width - 300 + n * 100}" y="16" fill="${line.colour}">${escaped(line.name)}</text>`,
  )
  .join('\n')}
</svg>`;
}

const ms = (value: number | null): string => (value === null ? '–' : `${value.toFixed(value < 10 ? 1 : 0)} ms`);

const rowOf = (name: string, { planned, answered, outcomes, p50Ms, p99Ms, maxMs }: KindFigures): string =>
  `<tr>${[
    name,
    planned,
    answered,
    Object.entries(outcomes)
      .map(([outcome, count]) => `${outcome}: ${count}`)
      .join(', '),
    ms(p50Ms),
    ms(p99Ms),
    ms(maxMs),
  ]
    .map((cell) => `<td>${escaped(cell)}</td>`)
    .join('')}</tr>`;

export function htmlOf(report: LoadReport): string {
  const { url, profile, rate, readsPerSecond, seconds, beganAt, events, reads, check, problems, intervals } = report;
  const verdict =
    problems.length === 0
      ? '<p class="good">Nothing that was accepted is lost or counted twice.</p>'
      : `<ul class="bad">${problems.map((problem) => `<li>${escaped(problem)}</li>`).join('')}</ul>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Load ${escaped(profile)} ${escaped(beganAt)}</title>
<style>
body { font: 14px/1.5 system-ui, sans-serif; max-width: 56rem; margin: 2rem auto; padding: 0 1rem; color: #1c2330; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
td, th { padding: 0.125rem 0.75rem 0.125rem 0; text-align: left; vertical-align: top; }
svg { display: block; width: 100%; margin: 1rem 0; font: 12px system-ui, sans-serif; }
.title { font-weight: 600; } .tick { fill: #5b6472; font-size: 11px; } .grid { stroke: #dfe3ea; }
.good { color: #1d6b2e; } .bad { color: #a01020; }
</style>
<h1>Load: ${escaped(profile)}</h1>
<p>${escaped(url)}, from ${escaped(beganAt)} for ${seconds} s: ${rate} events and ${readsPerSecond} reads a second at the
usual rate. Requests were sent at planned times, whatever was answered; times count from there.</p>
${verdict}
<table>
<tr><th></th><th>planned</th><th>answered 2xx</th><th>outcomes</th><th>p50</th><th>p99</th><th>longest</th></tr>
${rowOf('events', events)}
${rowOf('reads', reads)}
</table>
<p>Accepted events: ${check.accepted}. Occurrences that the API shows: ${check.applied}. Lost: ${check.lost}. Counted
twice: ${check.doubled}.</p>
${plotOf('Rates', 'a second', intervals, [
  { name: 'planned', colour: '#5b6472', value: (one) => one.plannedPerSecond },
  { name: 'answered', colour: '#1668b8', value: (one) => one.answeredPerSecond },
])}
${plotOf('Time from the planned time to the answer', 'ms', intervals, [
  { name: 'p50', colour: '#1668b8', value: (one) => one.p50Ms },
  { name: 'p99', colour: '#b25e00', value: (one) => one.p99Ms },
])}
${plotOf('Errors', 'a second', intervals, [
  { name: 'no success', colour: '#a01020', value: (one) => one.failedPerSecond },
])}
</html>
`;
}
