import fc from 'fast-check';
import { highestLevel, jobLevel, levelsOf } from './job-level.js';

test.each<[ofTeam: number, ofOrganization: number, level: number]>([
  [0, 0, 0],
  [99, 99, 0],
  [100, 100, 1],
  [0, 199, 0],
  [0, 200, 1],
  [0, 75_000, 5],
  [999, 999, 9],
  [1000, 1000, highestLevel],
  [75_000, 75_000, highestLevel],
])(
  'a job of a team with %d waiting jobs, and %d of its organization, has the level %d',
  (ofTeam, ofOrganization, level) => {
    expect(jobLevel({ ofTeam, ofOrganization })).toBe(level);
  },
);

test('jobs that are added together count for those after them, each for its team and its organization', () => {
  const storm = { organization: 'a', team: 'storm' };
  const quiet = { organization: 'a', team: 'quiet' };
  const other = { organization: 'b', team: 'storm' };
  const jobs = [...Array.from({ length: 250 }, () => storm), quiet, other, undefined];
  const levels = levelsOf(jobs, [{ ...storm, ofTeam: 60, ofOrganization: 100 }]);
  expect(levels.slice(0, 40)).toEqual(Array.from({ length: 40 }, () => 0));
  expect(levels.slice(40, 140)).toEqual(Array.from({ length: 100 }, () => 1));
  expect(levels.slice(240)).toEqual([...Array.from({ length: 10 }, () => 3), 1, 0, 0]);
});

test('whatever others have, the first job of an organization has the lowest level, and levels never fall within a team', () => {
  const share = fc.record({ organization: fc.constantFrom('a', 'b'), team: fc.constantFrom('x', 'y') });
  fc.assert(
    fc.property(fc.array(share, { maxLength: 600 }), (shares) => {
      const first = { organization: 'c', team: 'x' };
      const levels = levelsOf([...shares, first], []);
      expect(levels.at(-1)).toBe(0);
      for (const { organization, team } of shares) {
        const own = levels.filter((_, i) => shares[i]?.organization === organization && shares[i]?.team === team);
        expect(own).toEqual(own.toSorted((a, b) => a - b));
      }
    }),
    { numRuns: 20 },
  );
});
