import { validateContactMethods } from './contact-method.js';

const to = (address: unknown, type = 'email') => ({ type, address });

describe('the further addresses of a member', () => {
  it.each<[string, unknown, string[]]>([
    ['are e-mail addresses', [to('a@b.example'), to('c@b.example')], []],
    ['may be none', [], []],
    ['are a list', 'a@b.example', ['contactMethods']],
    ['are of a known type', [to('a@b.example', 'fax')], ['contactMethods[0].type']],
    ['are addresses', [to('mira')], ['contactMethods[0].address']],
    ['have no other field', [{ ...to('a@b.example'), verified: true }], ['contactMethods[0].verified']],
    ['are there once', [to('a@b.example'), to('A@b.example')], ['contactMethods[1].address']],
    ['do not repeat the address of the member', [to('Mira@example.com')], ['contactMethods[0].address']],
    ['are at most ten', Array.from({ length: 11 }, (_, i) => to(`a${i}@b.example`)), ['contactMethods']],
    ['are objects', [null, 'x'], ['contactMethods[0]', 'contactMethods[1]']],
  ])('%s', (_what, input, paths) =>
    expect(validateContactMethods(input, 'mira@example.com').map(({ path }) => path)).toEqual(paths),
  );
});
