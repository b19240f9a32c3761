import fc from 'fast-check';
import { repetitionFor, repetitionOf, ruleOf, weekdays, type Repetition } from './repetition.js';

test.each<[string, Repetition]>([
  ['FREQ=DAILY', { kind: 'DAILY', every: 1 }],
  ['FREQ=WEEKLY;BYDAY=SU', { kind: 'WEEKLY', every: 1, days: ['SU'] }],
  ['FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR', { kind: 'WEEKLY', every: 2, days: ['MO', 'FR'] }],
  ['FREQ=MONTHLY', { kind: 'MONTHLY', every: 1, monthly: { on: 'start' } }],
  ['FREQ=MONTHLY;BYMONTHDAY=15', { kind: 'MONTHLY', every: 1, monthly: { on: 'date', date: 15 } }],
  ['FREQ=MONTHLY;BYDAY=-1FR', { kind: 'MONTHLY', every: 1, monthly: { on: 'day', nth: -1, weekday: 'FR' } }],
])('%s is made by choices', (rule, repetition) => {
  expect(repetitionOf(rule)).toEqual(repetition);
  expect(ruleOf(repetition)).toBe(rule);
});

test.each([
  'FREQ=WEEKLY;COUNT=3',
  'FREQ=WEEKLY;BYDAY=1MO',
  'FREQ=WEEKLY;BYDAY=MO,MO',
  'FREQ=MONTHLY;BYDAY=MO,TU',
  'FREQ=MONTHLY;BYMONTHDAY=-1',
  'FREQ=MONTHLY;BYMONTHDAY=32',
  'FREQ=YEARLY',
  'FREQ=DAILY;BYHOUR=3',
  'FREQ=DAILY;INTERVAL=0',
  'FREQ=DAILY;FREQ=DAILY',
  '',
])('%s stays as it is', (rule) => {
  expect(repetitionOf(rule)).toEqual({ kind: 'custom', rule });
  expect(ruleOf(repetitionOf(rule))).toBe(rule);
});

const every = fc.integer({ min: 1, max: 99 });
const repetition = fc.oneof(
  fc.record({ kind: fc.constant('DAILY' as const), every }),
  fc.record({ kind: fc.constant('WEEKLY' as const), every, days: fc.subarray([...weekdays]) }),
  fc.record({
    kind: fc.constant('MONTHLY' as const),
    every,
    monthly: fc.oneof(
      fc.constant({ on: 'start' as const }),
      fc.record({ on: fc.constant('date' as const), date: fc.integer({ min: 1, max: 31 }) }),
      fc.record({
        on: fc.constant('day' as const),
        nth: fc.constantFrom(1, 2, 3, 4, -1),
        weekday: fc.constantFrom(...weekdays),
      }),
    ),
  }),
);

test('every choice is read back from its rule', () => {
  fc.assert(fc.property(repetition, (one) => expect(repetitionOf(ruleOf(one))).toEqual(one)));
});

test('another kind keeps the interval, and a custom rule begins with the present one', () => {
  const weekly: Repetition = { kind: 'WEEKLY', every: 3, days: ['MO'] };
  expect(repetitionFor('DAILY', weekly)).toEqual({ kind: 'DAILY', every: 3 });
  expect(repetitionFor('custom', weekly)).toEqual({ kind: 'custom', rule: 'FREQ=WEEKLY;INTERVAL=3;BYDAY=MO' });
});
