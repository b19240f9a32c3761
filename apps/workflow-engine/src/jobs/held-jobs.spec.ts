import { HeldJobs } from './held-jobs.js';

const storm = { organization: 'a', team: 'storm' };

const hold = (jobs: HeldJobs, share: typeof storm, count: number): (number | null)[] =>
  Array.from({ length: count }, () => jobs.enter(share));

test('a team with very many jobs holds a quarter of the room, and the others wait longer and longer', () => {
  const jobs = new HeldJobs(400);
  const answers = hold(jobs, storm, 3000);
  expect(answers.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => null));
  expect(answers.slice(100, 103)).toEqual([1, 1.02, 1.04]);
  expect(answers.at(-1)).toBe(30);
  jobs.leave(storm);
  expect(hold(jobs, storm, 1)).toEqual([null]);
});

test('there is room for the first job of another team and of another organization, whatever others hold', () => {
  const jobs = new HeldJobs(100);
  for (let n = 0; n < 40; n++) hold(jobs, { organization: 'a', team: `${n}` }, 100);
  expect(jobs.enter({ organization: 'b', team: 'quiet' })).toBeNull();
  for (let n = 0; n < 20; n++) hold(jobs, { organization: `${n}`, team: 'storm' }, 100);
  expect(jobs.enter({ organization: 'c', team: 'quiet' })).toBeNull();
});

test('a team whose jobs are done begins again without a delay', () => {
  const jobs = new HeldJobs(4);
  expect(hold(jobs, storm, 3)).toEqual([null, 1, 1.02]);
  jobs.leave(storm);
  expect(hold(jobs, storm, 2)).toEqual([null, 1]);
});
