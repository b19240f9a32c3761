import { Lanes } from './lanes.js';

const fill = (lanes: Lanes, target: string): void => {
  for (let i = 0; i < 8; i++) expect(lanes.enter(target, 0.5)).toBeNull();
};

test('eight at once to one target, whatever goes to others', () => {
  const lanes = new Lanes();
  fill(lanes, 'a');
  expect(lanes.enter('a', 0)).toBe(1);
  fill(lanes, 'b');
  lanes.leave('a');
  expect(lanes.enter('a', 0)).toBeNull();
});

test('the more are put off the longer, up to half a minute', () => {
  const lanes = new Lanes();
  fill(lanes, 'a');
  const waits = Array.from({ length: 1000 }, () => lanes.enter('a', 1) ?? 0);
  expect(waits[0]).toBeCloseTo(1.05);
  expect(waits[199]).toBeCloseTo(11);
  expect(Math.max(...waits)).toBe(31);
});
