import { newIngestToken } from '@ams/contracts';
import fc from 'fast-check';
import { mayHaveToken, senderPathOf } from './sender-path.js';

const token = newIngestToken();

test.each([
  [`/api/inbound/webhook/${token}`, 'webhook'],
  ['/v2/enqueue', 'pagerduty'],
  ['/api/inbound/pagerduty/v2/change/enqueue', 'pagerduty'],
  ['/v2/alerts', 'opsgenie'],
  ['/v2/alerts/a%2Fb/close', 'opsgenie'],
  ['/v2/alerts/100%25..%20/close', 'opsgenie'],
  ['/api/inbound/opsgenie/v2/heartbeats/a...b/ping', 'opsgenie'],
])('%s is forwarded as it is, to the API of %s', (path, api) =>
  expect(senderPathOf(path)).toMatchObject({ api, path }),
);

const dots = [
  '..',
  '.',
  '%2e%2e',
  '.%2E',
  '%252e%252e',
  '%25252e%25252e',
  '..%2f..',
  '..%5c..',
  '..\\..',
  'x%2f..%2f..',
  '..%09',
  '..%23',
  '%2e%2e%253f',
];

test.each([
  ...dots.flatMap((dot) => [`/api/inbound/${dot}/${dot}/metrics`, `/v2/alerts/${dot}/${dot}/readyz`]),
  `/api/inbound/webhook/%${'25'.repeat(9)}2e`,
  '/api/inbound/%ff',
  '/api/inbound/webhook/',
  '/api/inbound/other',
  '/metrics',
  '/v2/alertsx',
])('%s is not forwarded', (path) => expect(senderPathOf(path)).toBeNull());

test('a path that is forwarded stays below its API when it is decoded and resolved', () => {
  const piece = fc.constantFrom('..', '.', '/', '%2e', '%2f', '%5c', '\\', '%', '25', 'a', '%00', '%09', '?', '#', ';');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const forwarded = senderPathOf(`/v2/alerts/${pieces.join('')}`);
      if (forwarded === null) return;
      let path = forwarded.path;
      for (let n = 0; n < 3; n++) {
        expect(new URL(path.replaceAll(/[?#]/g, ''), 'http://x').pathname.startsWith('/v2/alerts/')).toBe(true);
        try {
          path = decodeURIComponent(path);
        } catch {
          return;
        }
      }
    }),
  );
});

test('the head of a request says whether it can have a token', () => {
  const may = (path: string, authorization?: string) => mayHaveToken(senderPathOf(path)!, authorization);
  expect([may(`/api/inbound/webhook/${token}`), may('/api/inbound/webhook/abc')]).toEqual([true, false]);
  expect([may('/v2/alerts', `GenieKey ${token}`), may('/v2/alerts'), may('/v2/alerts', 'GenieKey x')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(may('/v2/enqueue')).toBe(true);
});
