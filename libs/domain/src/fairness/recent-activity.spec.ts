import fc from 'fast-check';
import { RecentActivity } from './recent-activity.js';

test('nobody is beside an organization that is alone', () => {
  const activity = new RecentActivity(1000);
  expect(activity.isAnyBeside('a', 0)).toBe(false);
  activity.note('a', 0);
  expect(activity.isAnyBeside('a', 10)).toBe(false);
  expect(activity.isAnyBeside('b', 10)).toBe(true);
});

test('it says the same as a list of all work', () => {
  const work = fc.record({ organization: fc.constantFrom('a', 'b', 'c'), after: fc.nat(600) });
  fc.assert(
    fc.property(fc.array(work), fc.constantFrom('a', 'b', 'c'), fc.nat(1500), (all, asked, later) => {
      const activity = new RecentActivity(1000);
      const times: { organization: string; at: number }[] = [];
      let now = 0;
      for (const { organization, after } of all) {
        now += after;
        activity.note(organization, now);
        times.push({ organization, at: now });
      }
      now += later;
      const expected = times.some(({ organization, at }) => organization !== asked && now - at <= 1000);
      expect(activity.isAnyBeside(asked, now)).toBe(expected);
    }),
  );
});
