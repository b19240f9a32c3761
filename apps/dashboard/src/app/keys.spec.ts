import { match, nameOf } from './keys.js';

const pressed = (key: string, more: object = {}) => ({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

it('names keys as they are on the keyboard', () => {
  expect([
    nameOf(pressed('j')),
    nameOf(pressed('?')),
    nameOf(pressed('K', { metaKey: true })),
    nameOf(pressed('k', { ctrlKey: true })),
    nameOf(pressed(' ')),
    nameOf(pressed('Shift')),
    nameOf(pressed('@', { altKey: true })),
  ]).toEqual(['j', '?', 'mod+k', 'mod+k', 'Space', null, null]);
});

describe('the keys that are known', () => {
  const known = ['j', 'a', 'g a', 'g i'];
  it.each([
    ['', 'j', { kind: 'act', keys: 'j' }],
    ['', 'g', { kind: 'wait', pressed: 'g' }],
    ['g', 'a', { kind: 'act', keys: 'g a' }],
    ['g', 'j', { kind: 'act', keys: 'j' }],
    ['g', 'g', { kind: 'wait', pressed: 'g' }],
    ['', 'z', { kind: 'none' }],
    ['g', 'z', { kind: 'none' }],
  ])('after "%s", %s', (before, name, expected) => {
    expect(match(known, before, name)).toEqual(expected);
  });
});
