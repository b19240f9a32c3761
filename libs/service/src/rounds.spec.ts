import { once, EventEmitter } from 'node:events';
import { Rounds } from './rounds.js';

/** Does rounds with these results. After the last one it stops, without waiting for it. */
async function doRounds(results: (boolean | Error)[]) {
  const events: string[] = [];
  const done = new EventEmitter();
  let next = 0;
  const rounds = new Rounds({
    everyMs: 1,
    work: async () => {
      const result = results[next++];
      events.push('round');
      // Runs when all promises are settled, and before each timer.
      process.nextTick(() => events.push('turn'));
      if (next === results.length) done.emit('end', rounds.stop());
      if (result instanceof Error) throw result;
      return result ?? false;
    },
    onError: (error) => events.push((error as Error).message),
  });
  const [stopped] = await Promise.all([once(done, 'end'), Promise.resolve().then(() => rounds.start())]);
  await stopped[0];
  return events;
}

test('a round begins at once while there may be more to do, else after a pause', async () => {
  const events = await doRounds([true, true, false, false]);
  expect(events.slice(0, 4)).toEqual(['round', 'round', 'round', 'turn']);
  expect(events.filter((event) => event === 'round')).toHaveLength(4);
});

test('a round that fails is told, and the next one begins after the pause', async () => {
  const events = await doRounds([new Error('lost'), false]);
  expect(events.filter((event) => event !== 'turn')).toEqual(['round', 'lost', 'round']);
  expect(events.indexOf('turn')).toBe(2);
});

test('stopping waits for the round that runs, and no other one begins', async () => {
  let end: (isMore: boolean) => void = () => undefined;
  let begun = 0;
  const rounds = new Rounds({
    everyMs: 1,
    work: () => {
      begun++;
      return new Promise((resolve) => (end = resolve));
    },
    onError: () => undefined,
  });
  rounds.start();
  let isOver = false;
  const stopping = rounds.stop().then(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect({ isOver, isStopped: rounds.isStopped }).toEqual({ isOver: false, isStopped: true });
  end(true);
  await stopping;
  expect(begun).toBe(1);
});
