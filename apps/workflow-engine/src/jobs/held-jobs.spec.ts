import { HeldJobs } from './held-jobs.js';

const storm = { organization: 'a', team: 'storm' };

const now = 1_000_000;
/** The answers, as milliseconds from now. */
const hold = (jobs: HeldJobs, share: typeof storm, count: number, at = now): (number | null)[] =>
  Array.from({ length: count }, () => {
    const next = jobs.enter(share, at);
    return next === null ? null : next - at;
  });

test('a team with very many jobs holds a quarter of the room, and the others wait longer and longer', () => {
  const jobs = new HeldJobs(400);
  const answers = hold(jobs, storm, 5000);
  expect(answers.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => null));
  expect(answers.slice(100, 103)).toEqual([1000, 1010, 1020]);
  expect(answers.at(-1)).toBe(30_000);
  jobs.leave(storm);
  expect(hold(jobs, storm, 1)).toEqual([null]);
});

test('jobs that are tried again and find no room wait no longer than those that are new', () => {
  const jobs = new HeldJobs(400);
  hold(jobs, storm, 300);
  expect(hold(jobs, storm, 2, now + 3000)).toEqual([1000, 1010]);
});

test('there is room for the first job of another team and of another organization, whatever others hold', () => {
  const jobs = new HeldJobs(100);
  for (let n = 0; n < 40; n++) hold(jobs, { organization: 'a', team: `${n}` }, 100);
  expect(jobs.enter({ organization: 'b', team: 'quiet' }, now)).toBeNull();
  for (let n = 0; n < 20; n++) hold(jobs, { organization: `${n}`, team: 'storm' }, 100);
  expect(jobs.enter({ organization: 'c', team: 'quiet' }, now)).toBeNull();
});

test('teams of an organization share the pace at which its jobs are tried again', () => {
  const jobs = new HeldJobs(40);
  const teams = Array.from({ length: 12 }, (_, n) => ({ organization: 'a', team: `${n}` }));
  const next = (): number[] => teams.flatMap((team) => hold(jobs, team, 10).filter((ms) => ms !== null));
  next();
  // 12 teams with ten jobs each, of which none finds room, and each tries again every 120 ms.
  const again = next();
  expect(again).toHaveLength(120);
  const spread = Math.max(...again) - Math.min(...again);
  expect(spread).toBeGreaterThanOrEqual(1000);
  expect(hold(jobs, { organization: 'b', team: 'quiet' }, 1)).toEqual([null]);
});

test('the first job of a team that finds no room waits a second, however many of other teams wait', () => {
  const jobs = new HeldJobs(40);
  hold(jobs, storm, 3000);
  const [first] = hold(jobs, { organization: 'a', team: 'other' }, 20).filter((ms) => ms !== null);
  expect(first).toBe(1000);
});

test('what is not postponed any more takes no memory', () => {
  const jobs = new HeldJobs(4);
  for (let n = 0; n < 3000; n++) hold(jobs, { organization: `${n % 1500}`, team: `${n}` }, 3, now + n * 100);
  const { postponedUntil } = jobs as unknown as { postponedUntil: Map<string, Map<string, number>> };
  expect(postponedUntil.size).toBeLessThan(20);
  expect(Math.max(...[...postponedUntil.values()].map((teams) => teams.size))).toBeLessThan(3);
});
