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
