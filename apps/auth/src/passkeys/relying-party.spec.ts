import { isRegression, relyingPartyOf } from './relying-party.js';

it.each([
  ['https://alerts.example.com', { id: 'alerts.example.com', origin: 'https://alerts.example.com' }],
  ['https://alerts.example.com:8443/', { id: 'alerts.example.com', origin: 'https://alerts.example.com:8443' }],
  ['http://localhost:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://127.0.0.1:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://[::1]:3000', { id: 'localhost', origin: 'http://localhost:3000' }],
  ['http://alerts.example.com', null],
  ['https://192.0.2.7', null],
  ['https://[2001:db8::1]', null],
  [undefined, null],
])('%s', (url, expected) => expect(relyingPartyOf(url)).toEqual(expected));

it.each([
  [0, 0, false],
  [0, 1, false],
  [7, 8, false],
  [7, 7, true],
  [7, 6, true],
  [7, 0, true],
])('a counter of %s, then %s', (stored, sent, expected) => expect(isRegression(stored, sent)).toBe(expected));
