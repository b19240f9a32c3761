import {
  ConcurrencyClasses,
  waitingForEach,
  type Attempt,
  type ConcurrencyClass,
  type Entry,
} from './concurrency-classes.js';

/** Attempts to a target until it takes no more: eight at the same time, and those that wait. */
const full = 8 + 8 * waitingForEach;
const half = (8 * waitingForEach) / 2;

let attempts = 0;
const attempt = (organization: string, ...classes: ConcurrencyClass[]): Attempt => ({
  id: `attempt ${attempts++}`,
  share: undefined,
  organization,
  classes,
});
const toTarget = (target: string, limit = 8): Attempt => attempt('o', { name: target, limit });

const enterTimes = (count: number, classes: ConcurrencyClasses, entered: Attempt): Entry[] =>
  Array.from({ length: count }, () => classes.enter(entered, 0));

const kinds = (entries: Entry[]): string[] => [...new Set(entries.map(({ kind }) => kind))];

test('the limit for one target does not depend on other targets', () => {
  const classes = new ConcurrencyClasses();
  expect(kinds(enterTimes(8, classes, toTarget('a')))).toEqual(['taken']);
  expect(classes.enter(toTarget('a'), 0).kind).toBe('waits');
  expect(kinds(enterTimes(8, classes, toTarget('b')))).toEqual(['taken']);
});

test('an attempt that waits begins when another one ends, in the order of arrival', async () => {
  const classes = new ConcurrencyClasses();
  const order: number[] = [];
  enterTimes(8, classes, toTarget('a'));
  const waiting = enterTimes(3, classes, toTarget('a')).map(
    (entry, n) => entry.kind === 'waits' && entry.place.then(() => order.push(n)),
  );
  classes.leave(toTarget('a'), 10, 0);
  classes.leave(toTarget('a'), 10, 0);
  await Promise.all(waiting.slice(0, 2));
  expect(order).toEqual([0, 1]);
});

test('when many wait the rest is tried again at the rate of the target, within half a minute', () => {
  const classes = new ConcurrencyClasses();
  expect(kinds(enterTimes(full, classes, toTarget('a')))).toEqual(['taken', 'waits']);
  for (let i = 0; i < 40; i++) classes.leave(toTarget('a'), 4000, 0);
  enterTimes(40, classes, toTarget('a'));
  const delays = enterTimes(100, classes, toTarget('a')).map((entry) => (entry.kind === 'later' ? entry.afterMs : 0));
  expect(delays[0]).toBe(1000);
  // Eight at the same time, nearly four seconds each.
  expect((delays[10] ?? 0) - (delays[9] ?? 0)).toBeGreaterThan(450);
  expect((delays[10] ?? 0) - (delays[9] ?? 0)).toBeLessThan(500);
  expect(Math.max(...delays)).toBe(30_000);
});

test('those that are to be tried again later are called when few wait, some at a time and in their order', () => {
  const classes = new ConcurrencyClasses();
  enterTimes(full, classes, toTarget('a'));
  const later = Array.from({ length: half + 18 }, () => toTarget('a'));
  expect(kinds(later.map((one) => classes.enter(one, 0)))).toEqual(['later']);
  for (let i = 0; i < half; i++) expect(classes.leave(toTarget('a'), 10, 500)).toEqual([]);
  expect(classes.leave(toTarget('a'), 10, 500)).toEqual(later.slice(0, half));
  expect(classes.leave(toTarget('a'), 10, 600)).toEqual([]); // those that were called arrive
  expect(classes.leave(toTarget('a'), 10, 750)).toEqual(later.slice(half));
  expect(classes.leave(toTarget('a'), 10, 900)).toEqual([]);
});

test('an attempt that was refused twice is called once', () => {
  const classes = new ConcurrencyClasses();
  enterTimes(full, classes, toTarget('a'));
  const twice = toTarget('a');
  classes.enter(twice, 0);
  classes.enter(twice, 0);
  const called = Array.from({ length: full }, () => classes.leave(toTarget('a'), 10, 500));
  expect(called.flat()).toEqual([twice]);
});

test('an attempt whose time has come is not called: it may have failed since, and waits for its next one', () => {
  const classes = new ConcurrencyClasses();
  enterTimes(full, classes, toTarget('a'));
  const later = classes.enter(toTarget('a'), 0);
  const at = later.kind === 'later' ? later.afterMs : 0;
  const called = Array.from({ length: full }, () => classes.leave(toTarget('a'), 10, at));
  expect(called.flat()).toEqual([]);
});

test('the last one that leaves calls all that fit', () => {
  const classes = new ConcurrencyClasses();
  enterTimes(full, classes, toTarget('a'));
  const later = Array.from({ length: half + 8 }, () => toTarget('a'));
  for (const one of later) classes.enter(one, 0);
  const called = Array.from({ length: full }, () => classes.leave(toTarget('a'), 10, 500));
  expect(called.at(-1)).toEqual(later.slice(half));
  expect(called.flat()).toEqual(later);
});

test('an organization with many slow targets leaves places to others', () => {
  const classes = new ConcurrencyClasses();
  const all = { name: 'organization a', limit: 16 };
  const slow = (target: string): Attempt => attempt('a', { name: target, limit: 8 }, all);
  enterTimes(8, classes, slow('a1'));
  enterTimes(8, classes, slow('a2'));
  expect(classes.enter(slow('a3'), 0).kind).toBe('waits');
  expect(classes.enter(toTarget('b1'), 0).kind).toBe('taken');
});

test('an attempt that waits for one of its classes takes no place in the others', () => {
  const classes = new ConcurrencyClasses();
  const mail: ConcurrencyClass = { name: 'mail', limit: 8, isShared: true };
  enterTimes(8, classes, toTarget('a'));
  enterTimes(20, classes, attempt('o', { name: 'a', limit: 8 }, mail));
  expect(kinds(enterTimes(8, classes, attempt('p', mail)))).toEqual(['taken']);
});

test('a place in a class of several organizations goes to the one that has the fewest', async () => {
  const classes = new ConcurrencyClasses();
  const mail: ConcurrencyClass = { name: 'mail', limit: 8, isShared: true };
  const storm = attempt('storm', { name: 'a', limit: 100 }, mail);
  enterTimes(300, classes, storm);
  const quiet = classes.enter(attempt('quiet', { name: 'b', limit: 8 }, mail), 0);
  expect(quiet.kind).toBe('waits');
  classes.leave(storm, 10, 0);
  await (quiet.kind === 'waits' ? quiet.place : Promise.reject(new Error(quiet.kind)));
});
