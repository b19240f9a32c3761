// Results as a table for people and as JSON for comparing runs.
import { summary } from './measure.mjs';

const figure = (value) => {
  if (value === null || value === undefined || Number.isNaN(value)) return '–';
  const size = Math.abs(value);
  return size >= 1000
    ? Math.round(value).toLocaleString('en')
    : size >= 100
      ? value.toFixed(0)
      : size >= 10
        ? value.toFixed(1)
        : size >= 1
          ? value.toFixed(2)
          : value.toFixed(3);
};

const spread = ({ median, min, max, values }) =>
  values.length > 1 ? `${figure(median)} [${figure(min)}..${figure(max)}]` : figure(median);

export class Results {
  rows = [];
  notes = [];

  /**
   * Adds a row:
   *
   *   workload, what, unit   the workload, the measured value, its unit
   *   ours, reference        values of the rounds; `reference` is {name, values} or null
   *   target                 {text, reached({ours, reference, ratio}) -> boolean}, or null when there is none
   *   facts                  other values to keep
   */
  add({ workload, what, unit, ours, reference = null, target = null, facts = {} }) {
    const mine = summary(ours);
    const theirs =
      reference && reference.values.length > 0 ? { name: reference.name, ...summary(reference.values) } : null;
    const ratio = theirs ? mine.median / theirs.median : null;
    const reached =
      target && (theirs || !target.needsReference)
        ? target.reached({ ours: mine.median, worst: mine.max, reference: theirs?.median, ratio })
        : null;
    this.rows.push({
      workload,
      what,
      unit,
      ours: mine,
      reference: theirs,
      ratio,
      target: target?.text ?? null,
      reached,
      facts,
    });
  }

  note(text) {
    this.notes.push(text);
  }

  table() {
    const head = ['workload', 'what', 'ours median [min..max]', 'reference', 'ratio', 'target', 'reached'];
    const body = this.rows.map((row) => [
      row.workload,
      row.what,
      `${spread(row.ours)} ${row.unit}`,
      row.reference ? `${row.reference.name}: ${spread(row.reference)}` : '–',
      row.ratio === null ? '–' : figure(row.ratio),
      row.target ?? '–',
      row.reached === null ? '–' : row.reached ? 'yes' : 'NO',
    ]);
    const widths = head.map((title, column) => Math.max(title.length, ...body.map((cells) => cells[column].length)));
    const line = (cells) =>
      cells
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd();
    return [
      line(head),
      line(widths.map((width) => '-'.repeat(width))),
      ...body.map(line),
      ...this.notes.map((note) => `note: ${note}`),
    ].join('\n');
  }
}

/** Targets as a ratio to the reference, minimum or maximum. */
export const atLeast = (least, text) => ({
  text: text ?? `≥ ${least} of it`,
  needsReference: true,
  reached: ({ ratio }) => ratio >= least,
});
export const atMost = (most, text) => ({
  text: text ?? `≤ ${most} times`,
  needsReference: true,
  reached: ({ ratio }) => ratio <= most,
});
/** Absolute targets. */
/** Of the value itself, not of its ratio. */
export const over = (limit, unit) => ({ text: `≥ ${limit} ${unit}`, reached: ({ ours }) => ours >= limit });
export const under = (limit, unit) => ({ text: `< ${limit} ${unit}`, reached: ({ ours }) => ours < limit });
