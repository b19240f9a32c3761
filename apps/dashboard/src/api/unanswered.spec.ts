import { Unanswered } from './unanswered.js';

const minute = 60_000;

function keys() {
  let time = 0;
  let made = 0;
  const unanswered = new Unanswered(
    () => time,
    () => `key ${++made}`,
  );
  const send = (request: string, status: number): string => {
    const key = unanswered.keyOf(request);
    unanswered.ended(request, key, status);
    return key;
  };
  return { send, pass: (ms: number) => (time += ms) };
}

test.each([0, 500, 503, 504])('after %s the same request is sent with the same key', (status) => {
  const { send } = keys();
  expect([send('a', status), send('a', status), send('a', 201), send('a', 201)]).toEqual([
    'key 1',
    'key 1',
    'key 1',
    'key 2',
  ]);
});

test.each([200, 201, 400, 409, 429])('after %s it has a new key', (status) => {
  const { send } = keys();
  expect([send('a', status), send('a', status)]).toEqual(['key 1', 'key 2']);
});

test('another request has a key of its own', () => {
  const { send } = keys();
  expect([send('a', 0), send('b', 0), send('a', 201), send('b', 201)]).toEqual(['key 1', 'key 2', 'key 1', 'key 2']);
});

test('after some minutes it is another act', () => {
  const { send, pass } = keys();
  send('a', 0);
  pass(4 * minute);
  expect(send('a', 0)).toBe('key 1');
  pass(6 * minute);
  expect(send('a', 0)).toBe('key 2');
});

test('only the last ones are kept', () => {
  const { send } = keys();
  for (let n = 1; n <= 60; n++) send(`request ${n}`, 0);
  expect(send('request 60', 0)).toBe('key 60');
  expect(send('request 1', 0)).toBe('key 61');
});
