import { Together } from './together.js';

/** Work that ends when the test says so. */
function controlled(): { together: Together<number, string>; done: (error?: Error) => void; batches: number[][] } {
  const batches: number[][] = [];
  const ends: ((error?: Error) => void)[] = [];
  const together = new Together<number, string>((keys) => {
    batches.push([...keys]);
    return new Promise((resolve, reject) =>
      ends.push((error) => (error ? reject(error) : resolve(keys.map((key) => `value ${key}`)))),
    );
  }, 3);
  return { together, done: (error) => ends.shift()?.(error), batches };
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

test('an error is that of those who asked together, and the others go on', async () => {
  const { together, done } = controlled();
  const first = Promise.allSettled([together.ask('a', 1), together.ask('a', 2)]);
  await turn();
  const second = together.ask('a', 3);
  done(new Error('no connection'));
  expect((await first).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await turn();
  done();
  expect(await second).toBe('value 3');
});
