import { Lanes, type Lane } from './lanes.js';

const lane = (name: string, places = 8): Lane => ({ name, places });

const fill = (lanes: Lanes, ...ways: Lane[]): void => {
  for (let i = 0; i < 8; i++) expect(lanes.enter(ways, 0.5)).toBeNull();
};

test('so many at once to one target, whatever goes to others', () => {
  const lanes = new Lanes();
  fill(lanes, lane('a'));
  expect(lanes.enter([lane('a')], 0)).toBe(1);
  fill(lanes, lane('b'));
  lanes.leave([lane('a')]);
  expect(lanes.enter([lane('a')], 0)).toBeNull();
});

test('the more are put off the longer, up to half a minute', () => {
  const lanes = new Lanes();
  fill(lanes, lane('a'));
  const waits = Array.from({ length: 1000 }, () => lanes.enter([lane('a')], 1) ?? 0);
  expect(waits[0]).toBeCloseTo(1.05);
  expect(waits[199]).toBeCloseTo(11);
  expect(Math.max(...waits)).toBe(31);
});

test('an organization with many targets that are slow leaves places to others', () => {
  const lanes = new Lanes();
  const slow = lane('organization a', 16);
  fill(lanes, lane('a1'), slow);
  fill(lanes, lane('a2'), slow);
  expect(lanes.enter([lane('a3'), slow], 0)).toBe(1);
  expect(lanes.enter([lane('b1'), lane('organization b', 16)], 0)).toBeNull();
  lanes.leave([lane('a1'), slow]);
  expect(lanes.enter([lane('a3'), slow], 0)).toBeNull();
});

test('whoever finds one of its lanes full takes no place on the others', () => {
  const lanes = new Lanes();
  fill(lanes, lane('a'));
  for (let i = 0; i < 20; i++) expect(lanes.enter([lane('mail', 8), lane('a')], 0)).toBe(1);
  fill(lanes, lane('mail', 8));
});
