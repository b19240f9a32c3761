import { LimitedCallers, type LimitedReply } from './limited-callers.js';

const key = { keyHash: 'a' };
const limited = (resetSeconds: number): LimitedReply => ({
  kind: 'limited',
  rate: { limit: 300, remaining: 0, resetSeconds },
});
const secondsOf = (reply: LimitedReply | null): number | undefined => reply?.rate.resetSeconds;

test('a caller whose limit is used up is refused for a quarter of a second, then the auth service is asked', () => {
  const callers = new LimitedCallers();
  expect(callers.of(key, 1000)).toBeNull();
  callers.note(key, limited(40), 1000, 1010);
  expect(callers.of(key, 1010)).toEqual(limited(40));
  expect(callers.of(key, 1259)).toEqual(limited(40));
  expect(callers.of(key, 1260)).toBeNull();
});

test.each([
  ['one second, rounded up: perhaps none is left', 1, 1000, 1010, []],
  ['the answer took longer than what was left', 2, 1000, 2001, []],
  ['the window can end within the moment', 2, 1000, 1900, [1900, 1999]],
  ['the moment ends first', 3, 1000, 1100, [1100, 1349]],
])('nobody is refused after the end of the window: %s', (_what, resetSeconds, askedAt, now, refusedAt) => {
  const callers = new LimitedCallers();
  callers.note(key, limited(resetSeconds), askedAt, now);
  const refused = [];
  for (let at = now; at < now + 400; at++) if (callers.of(key, at)) refused.push(at);
  expect([refused.at(0), refused.at(-1)].filter((at) => at !== undefined)).toEqual(refusedAt);
});

test('the seconds until the end of the window become fewer', () => {
  const callers = new LimitedCallers();
  callers.note(key, limited(40), 1000, 2900);
  expect(secondsOf(callers.of(key, 2999))).toBe(39);
  expect(secondsOf(callers.of(key, 3001))).toBe(38);
});

test('others are not refused: another key, another session, the same session in another environment', () => {
  const callers = new LimitedCallers();
  callers.note(key, limited(40), 0, 0);
  callers.note({ sessionHash: 's', environment: 'live' }, limited(40), 0, 0);
  expect(callers.of({ keyHash: 'b' }, 1)).toBeNull();
  expect(callers.of({ sessionHash: 's', environment: 'test' }, 1)).toBeNull();
  expect(callers.of({ sessionHash: 's', environment: 'live' }, 1)).toEqual(limited(40));
});

test('only so many callers are remembered, and those of the past give their place to others', () => {
  const callers = new LimitedCallers();
  for (let i = 0; i < 10_001; i++) callers.note({ keyHash: `${i}` }, limited(40), 0, 0);
  expect(callers.of({ keyHash: '9999' }, 1)).not.toBeNull();
  expect(callers.of({ keyHash: '10000' }, 1)).toBeNull();
  callers.note({ keyHash: '10000' }, limited(40), 300, 300);
  expect(callers.of({ keyHash: '10000' }, 301)).not.toBeNull();
});
