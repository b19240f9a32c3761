import { CountedJobs } from './counted-jobs.js';

const share = { organization: 'a', team: 'storm' };
const storm = { ...share, ofTeam: 80, ofOrganization: 100 };

test('a large number is remembered for a second, with what is added', () => {
  const counted = new CountedJobs();
  counted.note(storm, 1000);
  counted.added(share, 20);
  expect(counted.of(share, 1999)).toEqual({ ...share, ofTeam: 100, ofOrganization: 120 });
  expect(counted.of({ organization: 'a', team: 'quiet' }, 1999)).toBeNull();
  expect(counted.of(share, 2000)).toBeNull();
});

test('a small number is counted each time', () => {
  const counted = new CountedJobs();
  counted.note({ ...storm, ofOrganization: 99 }, 1000);
  counted.added(share, 1000);
  expect(counted.of(share, 1000)).toBeNull();
});

test('what is over takes no memory', () => {
  const counted = new CountedJobs();
  for (let n = 0; n < 5000; n++) counted.note({ ...storm, team: `${n}` }, n);
  expect((counted as unknown as { counted: Map<string, unknown> }).counted.size).toBeLessThanOrEqual(1001);
});
