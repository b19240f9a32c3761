import { AnswerTimes } from './answer-times.js';

/**
 * Notes an answer each 10 ms. `100:0.2 1:8` is a hundred answers of 0.2 ms, then one of 8 ms. Returns when the server
 * counted as slow: the first and the last time.
 */
function slowWith(phases: string): (number | undefined)[] {
  const times = new AnswerTimes();
  const slow: number[] = [];
  let now = 0;
  for (const phase of phases.split(' ')) {
    const [count = 0, ms = 0] = phase.split(':').map(Number);
    for (let i = 0; i < count; i++) {
      times.note(ms, now);
      if (times.isSlow(now)) slow.push(now);
      now += 10;
    }
  }
  return [slow.at(0), slow.at(-1)];
}

test.each([
  ['a server that is always fast', '1000:0.2', [undefined, undefined]],
  ['a server that is always far away', '1000:20', [undefined, undefined]],
  ['one long answer', '100:0.2 1:8 100:0.2', [undefined, undefined]],
  ['some longer answers', '100:0.2 100:0.6 100:1', [undefined, undefined]],
  ['slow for a second, and one to two seconds more', '100:0.2 100:5 1000:0.2', [1010, 3130]],
  ['the first answer took long', '1:50 1000:0.2', [10, 1370]],
  ['slow from the start, until it was fast once', '100:5 1:0.2 1000:5', [1000, 11_000]],
])('%s', (_what, phases, expected) => {
  expect(slowWith(phases)).toEqual(expected);
});

test('what is usual is forgotten after ten minutes', () => {
  const times = new AnswerTimes();
  times.note(0.2, 0);
  const slowAt: number[] = [];
  for (let minute = 1; minute <= 20; minute++) {
    times.note(20, minute * 60_000);
    if (times.isSlow(minute * 60_000)) slowAt.push(minute);
  }
  expect([slowAt.at(0), slowAt.at(-1)]).toEqual([1, 9]);
});

test('without news it is not slow', () => {
  const times = new AnswerTimes();
  times.note(0.2, 0);
  times.note(100, 1);
  expect([times.isSlow(1000), times.isSlow(1001)]).toEqual([true, false]);
});
