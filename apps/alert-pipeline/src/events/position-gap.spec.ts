import { gapAt } from './position-gap.js';

test.each([
  ['a new stream', 0, { first_seq: 0, last_seq: 0 }, null],
  ['a stream with its first messages', 0, { first_seq: 1, last_seq: 9 }, null],
  ['everything is applied and purged', 9, { first_seq: 10, last_seq: 9 }, null],
  ['applied messages are kept', 9, { first_seq: 3, last_seq: 20 }, null],
  ['messages after the position were purged', 9, { first_seq: 12, last_seq: 20 }, { position: 11, missing: 2 }],
  ['all messages after the position were purged', 9, { first_seq: 21, last_seq: 20 }, { position: 20, missing: 11 }],
  ['the stream ends before the position', 9, { first_seq: 3, last_seq: 7 }, { position: 2, missing: 2 }],
])('%s', (_what, position, ends, gap) => {
  const found = gapAt(position, ends);
  expect(found && { position: found.position, missing: found.missing }).toEqual(gap);
});
