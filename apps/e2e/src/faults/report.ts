/** The results as a Markdown table. */
import { goalSeconds, type FaultResult, type SkippedFault } from './run-faults.js';

export const isResult = (one: FaultResult | SkippedFault): one is FaultResult => 'figures' in one;

/** In one word. */
export function verdictOf({ problems, wellAfter }: FaultResult): 'passed' | 'slow' | 'FAILED' {
  if (problems.length > 0 || wellAfter === null) return 'FAILED';
  return wellAfter > goalSeconds ? 'slow' : 'passed';
}

/** What is wrong, for a test: a fault that this machine cannot inject has no problem. */
export function problemsOf(result: FaultResult | SkippedFault): string[] {
  const { name } = result.fault;
  if (isResult(result)) return result.problems.map((problem) => `${name}: ${problem}`);
  return result.isFailure ? [`${name}: ${result.because}`] : [];
}

const columns: [title: string, value: (result: FaultResult) => string | number][] = [
  ['fault', ({ fault }) => fault.name],
  ['sent', ({ figures }) => figures.sent],
  ['accepted', ({ figures }) => figures.accepted],
  ['applied', ({ figures }) => figures.applied],
  ['lost', ({ figures }) => figures.lost],
  ['doubled', ({ figures }) => figures.doubled],
  ['wrong', ({ figures }) => figures.wrong],
  ['pages due', ({ figures }) => figures.pagesDue],
  ['sent', ({ figures }) => figures.pagesSent],
  ['skipped', ({ figures }) => figures.pagesSkipped],
  ['lost', ({ figures }) => figures.pagesLost],
  ['doubled', ({ figures }) => figures.pagesDoubled],
  ['repeated', ({ figures }) => figures.pagesRepeated],
  ['well after', ({ wellAfter }) => (wellAfter === null ? 'not' : `${wellAfter.toFixed(1)} s`)],
  ['verdict', verdictOf],
];

export function tableOf(results: readonly (FaultResult | SkippedFault)[]): string {
  const rows = [
    columns.map(([title]) => title),
    ...results.filter(isResult).map((result) => columns.map(([, value]) => String(value(result)))),
  ];
  const widths = columns.map((_, index) => Math.max(...rows.map((row) => (row[index] ?? '').length)));
  const padded = (cell: string, n: number): string =>
    n === 0 ? cell.padEnd(widths[n] ?? 0) : cell.padStart(widths[n] ?? 0);
  const line = (cells: readonly string[]): string => `| ${cells.map(padded).join(' | ')} |`;
  const [head = [], ...body] = rows;
  const rules = widths.map((width, n) => (n === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`));
  const rule = `|${rules.join('|')}|`;
  const skipped = results.flatMap((one) => (isResult(one) ? [] : `${one.fault.name}: ${one.because}`));
  return [line(head), rule, ...body.map(line), ...(skipped.length === 0 ? [] : ['', 'Left out:', ...skipped])].join(
    '\n',
  );
}

const shownProblems = 8;

/** The problems of each fault that failed, and what its time of recovery was spent on. */
export function detailsOf(result: FaultResult): string {
  const { fault, problems, wellParts, lastUnready, answers, slowestRefusalMs } = result;
  const parts = Object.entries(wellParts).map(([name, seconds]) => `${name} ${seconds ?? 'never'}`);
  const more = problems.length > shownProblems ? [`… and ${problems.length - shownProblems} more`] : [];
  return [
    `${fault.name}: ${parts.join(', ')}; ${JSON.stringify(answers)}; slowest refusal ${slowestRefusalMs} ms`,
    ...(lastUnready === '' ? [] : [`  last not ready: ${lastUnready}`]),
    ...[...problems.slice(0, shownProblems), ...more].map((text) => `  ${text}`),
  ].join('\n');
}
