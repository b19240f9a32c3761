import { OrganizationActivity } from '@ams/messaging';
import { EvaluationTurns, type Slice } from './evaluation-turns.js';

/** By a clock that only work moves, so the order does not depend on how busy the machine is. */
function start() {
  let ms = 0;
  const order: string[] = [];
  const activity = new OrganizationActivity();
  const turns = new EvaluationTurns(activity, () => ms);
  const slices: Slice[] = [];
  turns.onSlice((slice) => slices.push(slice));
  function* work(name: string, parts: number, partMs: number): Generator<void, string> {
    for (let part = 1; part <= parts; part++) {
      order.push(`${name}${part}`);
      ms += partMs;
      yield;
    }
    return name;
  }
  const pass = (passed: number): void => {
    ms += passed;
  };
  /** Lets the clock go on until the work has ended. */
  const ended = async (all: unknown[], eachMs = 1): Promise<void> => {
    let isOver = false;
    const over = Promise.all(all).finally(() => (isOver = true));
    while (!isOver) {
      pass(eachMs);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    await over;
  };
  return { turns, work, order, slices, pass, activity, ended, now: (): number => ms };
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const owner = (organizationId: string, isShort = false, rests = !isShort) => ({
  organizationId,
  record: 'r',
  isShort,
  rests,
});

it('ends short work at once, without a promise', () => {
  const { turns, work } = start();
  expect(turns.run(owner('a'), work('a', 2, 0.75))).toBe('a');
});

it('pauses long work after two milliseconds, and lets the event loop and other organizations go on', async () => {
  const { turns, work, order, slices } = start();
  const long = turns.run(owner('a', true), work('a', 6, 1));
  expect(order).toEqual(['a1', 'a2']);
  setImmediate(() => order.push('a request'));
  const short = turns.run(owner('b'), work('b', 1, 1));
  expect([short, await long]).toEqual(['b', 'a']);
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3', 'a4', 'a request', 'a5', 'a6']);
  expect(Math.max(...slices.map((slice) => slice.ms))).toBe(2);
});

it('gives each organization one slice in a turn, however much work it has', async () => {
  const { turns, work, order, ended } = start();
  const all = ['a', 'A', 'Ä'].map((name) => turns.run(owner('a'), work(name, 3, 5)));
  all.push(turns.run(owner('b'), work('b', 3, 5)));
  expect(order.join(' ')).toBe('a1 b1'); // the other work of a does not begin in the same turn
  await ended(all);
  expect(order.slice(2).join(' ')).toBe('a2 b2 A1 b3 Ä1 a3 A2 Ä2 A3 Ä3');
});

it('lets an organization rest after each slice while others are active, but not what others wait for', async () => {
  const { turns, work, activity, ended, now } = start();
  const took = async (isShort: boolean, rests?: boolean): Promise<number> => {
    const begun = now();
    await ended([turns.run(owner('a', isShort, rests), work('a', 10, 2))]);
    return now() - begun;
  };
  expect(await took(false)).toBeLessThan(40);
  activity.note('b', now());
  expect(await took(false)).toBeGreaterThanOrEqual(56); // ten slices of 2 ms with nine rests of 4 ms between
  expect(await took(true)).toBeLessThan(40);
  await ended([turns.run(owner('a', true), work('a', 60, 5))]); // nothing is left of its share
  const tookWithRests = await took(true, true);
  expect(tookWithRests).toBeGreaterThanOrEqual(56);
  expect(tookWithRests).toBeLessThan(120);
});

it('lets an organization that has used its share wait, and nobody else', async () => {
  const { turns, work, order, ended } = start();
  await turns.run(owner('a'), work('a', 29, 5));
  // 150 ms in a second, of which some have come back.
  const waits = turns.run(owner('a'), work('A', 40, 5));
  const other = turns.run(owner('b'), work('b', 5, 5));
  const short = turns.run(owner('a', true), work('s', 5, 5));
  await ended([other, short]);
  for (let i = 0; i < 20; i++) await turn();
  expect(order.at(-1)).not.toBe('A40');
  await ended([waits], 100);
  expect(order.at(-1)).toBe('A40');
});

it.each([
  ['all of its share', 'a', 700],
  ['half of its share while another one is active', 'b', 1_700],
])('an organization has %s', async (_share, before, aboutMs) => {
  const { turns, work, pass } = start();
  await turns.run(owner(before), work('before', 1, 1));
  await turns.run(owner('a', true), work('a', 60, 5));
  let ended = false;
  const waits = Promise.resolve(turns.turn(owner('a'))).then(() => (ended = true));
  let waited = 0;
  while (!ended) {
    pass(10);
    waited += 10;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await waits;
  expect(waited).toBeGreaterThan(aboutMs - 200);
  expect(waited).toBeLessThan(aboutMs + 500);
});

it('counts little of a slice during which the process was paused', async () => {
  const { turns, pass, activity, ended, now } = start();
  const paused = function* (): Generator<void, void> {
    pass(120_000);
    activity.note('b', now());
    yield;
  };
  await ended([turns.run(owner('a'), paused())]);
  expect(now()).toBeLessThan(120_150);
});

it('lets what reads from the database for an evaluation wait for the share, too', async () => {
  const { turns, work, pass } = start();
  expect(turns.turn(owner('a'))).toBeUndefined();
  await turns.run(owner('a', true), work('a', 40, 5));
  let ended = false;
  const waits = Promise.resolve(turns.turn(owner('a'))).then(() => (ended = true));
  expect(turns.turn(owner('b'))).toBeUndefined();
  for (let i = 0; i < 20; i++) await turn();
  expect(ended).toBe(false);
  pass(1000);
  await waits;
});

it('passes an error of the work on, also after a pause', async () => {
  const { turns } = start();
  const failing = function* (): Generator<void, never> {
    yield;
    throw new Error('at fault');
  };
  expect(() => turns.run(owner('a'), failing())).toThrow('at fault');
  const { turns: later, pass } = start();
  const long = function* (): Generator<void, never> {
    pass(10);
    yield;
    throw new Error('at fault');
  };
  await expect(later.run(owner('a'), long())).rejects.toThrow('at fault');
});
