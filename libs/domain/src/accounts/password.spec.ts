import fc from 'fast-check';
import { passwordFaults, passwordLimits } from './password.js';

const rulesOf = (password: string, email: string | null = 'mira.okafor@example.com'): string[] =>
  passwordFaults(password, { path: 'password', email }).map(({ rule }) => rule);

describe('a new password', () => {
  it.each<[string, string, string[]]>([
    ['of words is good', 'correct horse battery stable', []],
    ['needs no digit and no capital', 'lanternmarblefog', []],
    ['may have any characters', '🦆 ente im teich', []],
    ['is counted in characters, not in bytes or halves of pairs', '🦆'.repeat(3) + 'abcdefgh', ['minLength']],
    ['is not too short', 'abcdefghijk', ['minLength']],
    ['is not too long', 'ab3'.repeat(100), ['maxLength']],
    ['is not the address', 'Mira.Okafor@Example.com', ['notEmail']],
    ['is not the name in the address', 'mira.okafor ', ['notEmail']],
    ['is not a common one', 'Password1234', ['notCommon']],
    ['is not a common one with spaces around it', ' qwertyuiop123 ', ['notCommon']],
    ['is not a common one in letters of full width', 'ｐａｓｓｗｏｒｄ1234', ['notCommon']],
    ['is not one character many times', 'aaaaaaaaaaaaaaaa', ['notCommon']],
    ['is not two characters many times', 'abababababababab', ['notCommon']],
  ])('%s', (_what, password, rules) => expect(rulesOf(password)).toEqual(rules));

  it('is compared with the name before the @, and not with an address that is not known', () => {
    expect(rulesOf('mira.okafor!', 'mira.okafor!@example.com')).toEqual(['notEmail']);
    expect(rulesOf('mira.okafor@example.com', null)).toEqual([]);
  });
});

test('random text of a permitted length is a good password, and any other length is refused', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.integer({ min: 1, max: 400 }), (uuid, length) => {
      const password = uuid.repeat(12).slice(0, length);
      const isGood = length >= passwordLimits.shortest && length <= passwordLimits.longest;
      expect(rulesOf(password).length === 0).toBe(isGood);
    }),
  );
});
