/**
 * Spans of time and the operations of the resolver on them. A span begins at `start` and ends just before `end`, in
 * milliseconds since 1970. Lists of spans are sorted and do not overlap, unless stated otherwise.
 */

export interface Span {
  start: number;
  end: number;
}

export const byStart = (a: Span, b: Span): number => a.start - b.start;

/** The parts of the spans that lie within one of the ranges. */
export function within<S extends Span>(spans: readonly S[], ranges: readonly Span[]): S[] {
  const parts: S[] = [];
  let first = 0;
  for (const span of spans) {
    while (first < ranges.length && ranges[first]!.end <= span.start) first += 1;
    for (let i = first; i < ranges.length && ranges[i]!.start < span.end; i += 1) {
      const { start, end } = ranges[i]!;
      parts.push({ ...span, start: Math.max(span.start, start), end: Math.min(span.end, end) });
    }
  }
  return parts;
}

/** The parts of the range, which contains all spans, that no span covers. */
export function uncovered(spans: readonly Span[], range: Span): Span[] {
  const found: Span[] = [];
  let start = range.start;
  for (const span of spans) {
    if (start < span.start) found.push({ start, end: span.start });
    start = span.end;
  }
  if (start < range.end) found.push({ start, end: range.end });
  return found;
}

/** The spans of `over`, and the parts of `under` between them. */
export const filled = <S extends Span>(over: readonly S[], under: readonly S[], range: Span): S[] =>
  [...over, ...within(under, uncovered(over, range))].sort(byStart);

/** Merges adjoining spans that belong together. Spans that belong together may overlap. */
export function joined<S extends Span>(spans: readonly S[], belongTogether: (a: S, b: S) => boolean): S[] {
  const result: S[] = [];
  for (const span of spans) {
    const last = result.at(-1);
    if (last !== undefined && span.start <= last.end && belongTogether(last, span))
      last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

/** The spans of both lists; where two overlap, `combined` of them. */
export function overlaid<S extends Span>(
  a: readonly S[],
  b: readonly S[],
  range: Span,
  combined: (a: S, b: S) => S,
): S[] {
  const shared: S[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const [one, other] = [a[i]!, b[j]!];
    const start = Math.max(one.start, other.start);
    const end = Math.min(one.end, other.end);
    if (start < end) shared.push({ ...combined(one, other), start, end });
    if (one.end <= other.end) i += 1;
    else j += 1;
  }
  return [...within(a, uncovered(b, range)), ...within(b, uncovered(a, range)), ...shared].sort(byStart);
}
