import { ConcurrencyClasses, type ConcurrencyClass } from './concurrency-classes.js';

const limited = (name: string, limit = 8): ConcurrencyClass => ({ name, limit });

const fill = (classes: ConcurrencyClasses, ...entered: ConcurrencyClass[]): void => {
  for (let i = 0; i < 8; i++) expect(classes.enter(entered, 0.5)).toBeNull();
};

test('the limit for one target does not depend on other targets', () => {
  const classes = new ConcurrencyClasses();
  fill(classes, limited('a'));
  expect(classes.enter([limited('a')], 0)).toBe(1);
  fill(classes, limited('b'));
  classes.leave([limited('a')]);
  expect(classes.enter([limited('a')], 0)).toBeNull();
});

test('when more attempts are postponed they wait longer, up to half a minute', () => {
  const classes = new ConcurrencyClasses();
  fill(classes, limited('a'));
  const waits = Array.from({ length: 1000 }, () => classes.enter([limited('a')], 1) ?? 0);
  expect(waits[0]).toBeCloseTo(1.05);
  expect(waits[199]).toBeCloseTo(11);
  expect(Math.max(...waits)).toBe(31);
});

test('an organization with many slow targets leaves places to others', () => {
  const classes = new ConcurrencyClasses();
  const slow = limited('organization a', 16);
  fill(classes, limited('a1'), slow);
  fill(classes, limited('a2'), slow);
  expect(classes.enter([limited('a3'), slow], 0)).toBe(1);
  expect(classes.enter([limited('b1'), limited('organization b', 16)], 0)).toBeNull();
  classes.leave([limited('a1'), slow]);
  expect(classes.enter([limited('a3'), slow], 0)).toBeNull();
});

test('an attempt that finds one of its classes full takes no place in the others', () => {
  const classes = new ConcurrencyClasses();
  fill(classes, limited('a'));
  for (let i = 0; i < 20; i++) expect(classes.enter([limited('mail', 8), limited('a')], 0)).toBe(1);
  fill(classes, limited('mail', 8));
});
