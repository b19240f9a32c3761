import { pushState, type BrowserFacts, type OwnDevice, type PushState } from './push-state.js';

const facts: BrowserFacts = {
  isSupported: true,
  isIos: false,
  permission: 'granted',
  subscription: { fingerprint: 'here', publicKey: 'key' },
};
const here: OwnDevice = { id: 'dev_1', fingerprint: 'here', endedAt: null };
const there: OwnDevice = { id: 'dev_2', fingerprint: 'there', endedAt: null };

test.each<[string, Partial<BrowserFacts>, string | null, OwnDevice[], PushState]>([
  ['the browser is subscribed and among the devices', {}, 'key', [there, here], 'on'],
  ['the operator has set no keys', {}, null, [here], 'notSetUp'],
  ['the browser cannot', { isSupported: false }, 'key', [], 'unsupported'],
  ['an iPhone that shows the page in the browser', { isSupported: false, isIos: true }, 'key', [], 'install'],
  ['the permission is denied', { permission: 'denied', subscription: null }, 'key', [there], 'denied'],
  ['nobody was asked yet', { permission: 'default', subscription: null }, 'key', [], 'off'],
  ['the permission was taken back', { permission: 'default' }, 'key', [here], 'off'],
  ['the browser has no subscription any more', { subscription: null }, 'key', [here], 'off'],
  ['the device was removed elsewhere', {}, 'key', [there], 'off'],
  ['the device has ended', {}, 'key', [{ ...here, endedAt: '2026-11-20T14:00:00Z' }], 'off'],
  ['the service has other keys now', {}, 'another key', [here], 'off'],
])('%s', (_what, changed, publicKey, devices, expected) =>
  expect(pushState({ ...facts, ...changed }, publicKey, devices)).toBe(expected),
);
