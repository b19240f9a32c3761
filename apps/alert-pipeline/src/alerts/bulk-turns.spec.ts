import { OrganizationActivity } from '@ams/messaging';
import { setTimeout as pause } from 'node:timers/promises';
import { BulkTurns } from './bulk-turns.js';

/** Parts that end when the test says so. */
function start() {
  const activity = new OrganizationActivity();
  const turns = new BulkTurns(activity);
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const run = (organization: string, name: string, of: 'request' | 'job' = 'request'): Promise<void> =>
    turns.run(organization, of, () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    });
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.();
    await pause(0);
  };
  return { activity, begun, run, end };
}

test('an organization has one part at a time, and nobody waits for another organization', async () => {
  const { begun, run, end } = start();
  const organizations = Array.from({ length: 20 }, (_, n) => `o${n}`);
  const all = organizations.flatMap((name) => [run(name, `${name} first`), run(name, `${name} second`)]);
  await pause(0);
  expect(begun).toEqual(organizations.map((name) => `${name} first`));
  await end('o7 first');
  expect(begun.at(-1)).toBe('o7 second');
  for (const name of organizations) for (const part of ['first', 'second']) await end(`${name} ${part}`);
  await Promise.all(all);
});

test('the parts of requests and jobs of an organization take turns', async () => {
  const { begun, run, end } = start();
  const all = [run('a', 'j1', 'job'), run('a', 'j2', 'job'), run('a', 'j3', 'job'), run('a', 'r1'), run('a', 'r2')];
  await pause(0);
  for (const name of ['j1', 'j2', 'r1', 'j3', 'r2']) await end(name);
  await Promise.all(all);
  expect(begun).toEqual(['j1', 'j2', 'r1', 'j3', 'r2']);
});

test('a part is smaller while others are active', async () => {
  const activity = new OrganizationActivity();
  const turns = new BulkTurns(activity);
  const sizeOfPart = (): Promise<number> => turns.run('a', 'request', (size) => Promise.resolve(size));
  const alone = await sizeOfPart();
  activity.note('a', performance.now());
  expect(await sizeOfPart()).toBe(alone);
  activity.note('b', performance.now());
  expect(await sizeOfPart()).toBeLessThan(alone);
});

test('while others are active, the next part begins after a rest', async () => {
  const { activity, begun, run, end } = start();
  activity.note('b', performance.now());
  const all = [run('a', 'first'), run('a', 'second')];
  await pause(100);
  await end('first');
  await pause(50);
  expect(begun).toEqual(['first']);
  while (begun.length < 2) await pause(10);
  await end('second');
  await Promise.all(all);
});
