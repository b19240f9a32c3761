/**
 * Work in parts is a generator that pauses between them. Whoever runs it decides how long a pause is: a service lets
 * others take their turns.
 */

/** Runs the work without pauses. */
export function allAtOnce<Result>(work: Generator<void, Result>): Result {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** The results of `each` for the items; a part for each item. */
export function* mapInParts<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Result,
): Generator<void, Result[]> {
  const results: Result[] = [];
  for (const item of items) {
    results.push(each(item));
    yield;
  }
  return results;
}

/** The same, where `each` has parts itself. */
export function* eachInParts<Item, Result>(
  items: readonly Item[],
  each: (item: Item) => Generator<void, Result>,
): Generator<void, Result[]> {
  const results: Result[] = [];
  for (const item of items) results.push(yield* each(item));
  return results;
}

/** Runs work in parts, with pauses when it takes long. */
export type RunInParts = <Result>(work: Generator<void, Result>) => Result | Promise<Result>;
