import fc from 'fast-check';
import { many, one, oneOf, parseSearch, searchOf, someOf, writeSearch } from './search-params.js';

it('writes lists as the API does: with commas, and labels one by one', () => {
  expect(
    writeSearch({ status: ['firing', '!resolved'], label: ['region:eu', 'hosts:a,b'], q: 'a b&c', none: undefined }),
  ).toBe('?status=firing,!resolved&label=region:eu&label=hosts:a,b&q=a%20b%26c');
  expect(writeSearch({ q: '', status: [] })).toBe('');
});

it('reads what it has written', () => {
  const word = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes(','));
  const labels = fc.array(fc.string({ minLength: 1, unit: 'grapheme' }), { minLength: 1 });
  const read = searchOf({ q: one, status: many, label: many });
  fc.assert(
    fc.property(word, fc.array(word, { minLength: 1 }), labels, (q, status, label) => {
      expect(read(parseSearch(writeSearch({ q, status, label })))).toEqual({ q, status, label });
    }),
  );
});

it('leaves out what it does not know', () => {
  const read = searchOf({ env: oneOf(['test']), severity: someOf(['high', 'low']), q: one });
  expect([
    read(parseSearch('?env=test&severity=high,none,low&q=x&other=1')),
    read(parseSearch('?env=staging&severity=none&q=')),
    read(parseSearch('')),
  ]).toEqual([{ env: 'test', severity: ['high', 'low'], q: 'x' }, {}, {}]);
});
