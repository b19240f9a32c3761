import { maxEndpointLength, pushEndpointFault, pushKeyPatterns } from './push-subscription.js';

describe('the endpoint of a push subscription', () => {
  it.each<[string, unknown, string | null]>([
    ['of Chrome', `https://fcm.googleapis.com/fcm/send/${'x'.repeat(160)}`, null],
    ['of Firefox', `https://updates.push.services.mozilla.com/wpush/v2/${'x'.repeat(180)}`, null],
    ['of Edge', `https://wns2-par02p.notify.windows.com/w/?token=${'x'.repeat(400)}`, null],
    ['of a test', 'http://127.0.0.1:4000/push/1', null],
    ['without TLS', 'http://push.example.com/1', 'must begin with https://'],
    ['of another scheme', 'ftp://push.example.com/1', 'must be a URL'],
    ['with a password', 'https://a:b@push.example.com/1', 'must not contain a user or a password'],
    ['with a fragment', 'https://push.example.com/1#2', 'must not have a fragment'],
    ['with white space', 'https://push.example.com/\n1', 'must be a URL'],
    ['that is none', 'push', 'must be a URL'],
    ['that is no text', 7, 'must be a URL'],
    [
      'that is too long',
      `https://push.example.com/${'x'.repeat(maxEndpointLength)}`,
      'must be at most 1024 characters',
    ],
  ])('%s', (_what, endpoint, fault) => expect(pushEndpointFault(endpoint)).toBe(fault));
});

it('has keys of the length that RFC 8291 says, in base64url', () => {
  const point = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 255)]).toString('base64url');
  expect(point).toMatch(pushKeyPatterns.p256dh);
  expect(Buffer.alloc(65, 2).toString('base64url')).not.toMatch(pushKeyPatterns.p256dh);
  expect(point.slice(1)).not.toMatch(pushKeyPatterns.p256dh);
  expect(Buffer.alloc(16, 255).toString('base64url')).toMatch(pushKeyPatterns.auth);
  expect(Buffer.alloc(16).toString('base64')).not.toMatch(pushKeyPatterns.auth);
});
