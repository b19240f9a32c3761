import { Together } from './together.js';

/** Work that ends when the test says so. */
function controlled(): { together: Together<number, string>; done: () => void; batches: number[][] } {
  const batches: number[][] = [];
  const ends: (() => void)[] = [];
  const together = new Together<number, string>(
    (keys) => {
      batches.push([...keys]);
      return new Promise((resolve) => ends.push(() => resolve(keys.map((key) => `value ${key}`))));
    },
    { most: 3 },
  );
  return { together, done: () => ends.shift()?.(), batches };
}

/** Until those that have asked are under way. */
const turn = async (): Promise<void> => {
  for (let i = 0; i < 3; i++) await new Promise((resolve) => setImmediate(resolve));
};

test('what is asked for in one turn, or while others are under way, is done together; at most so many', async () => {
  const { together, done, batches } = controlled();
  const first = [1, 2].map((key) => together.ask('a', key));
  await turn();
  const rest = [3, 4, 5, 6].map((key) => together.ask('a', key));
  await turn();
  expect(batches).toEqual([[1, 2]]);
  done();
  expect(await Promise.all(first)).toEqual(['value 1', 'value 2']);
  await turn();
  done();
  await turn();
  done();
  expect(await Promise.all(rest)).toEqual(['value 3', 'value 4', 'value 5', 'value 6']);
  expect(batches).toEqual([[1, 2], [3, 4, 5], [6]]);
});

test('a queue waits for no other one', async () => {
  const { together, done, batches } = controlled();
  void together.ask('a', 1);
  void together.ask('b', 2);
  await turn();
  expect(batches).toEqual([[1], [2]]);
  done();
  done();
});

const failing = (asked: number[][]) => (keys: readonly number[]) => {
  asked.push([...keys]);
  return keys.includes(2) ? Promise.reject(new Error('2 is at fault')) : Promise.resolve(keys.map((key) => key * 10));
};

test('one that is at fault fails alone, and the others go on', async () => {
  const asked: number[][] = [];
  const together = new Together(failing(asked));
  const first = Promise.allSettled([1, 2, 3].map((key) => together.ask('a', key)));
  await turn();
  expect(await together.ask('a', 4)).toBe(40);
  expect(await first).toMatchObject([{ value: 10 }, { reason: { message: '2 is at fault' } }, { value: 30 }]);
  expect(asked).toEqual([[1, 2, 3], [1], [2], [3], [4]]);
});

test('within a transaction, an error is that of those who asked together', async () => {
  const asked: number[][] = [];
  const together = new Together(failing(asked), { alone: false });
  const all = await Promise.allSettled([1, 2].map((key) => together.ask('a', key)));
  expect(all.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await together.ask('a', 3)).toBe(30);
  expect(asked).toEqual([[1, 2], [3]]);
});
