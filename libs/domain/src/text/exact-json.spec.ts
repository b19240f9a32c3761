import fc from 'fast-check';
import { parseJson } from './exact-json.js';

test.each<[string, unknown]>([
  ['{"id":123456789012345678}', { id: '123456789012345678' }],
  ['[-123456789012345679, 9007199254740993]', ['-123456789012345679', '9007199254740993']],
  ['{"id":9007199254740991,"ms":1420452193166002}', { id: 9007199254740991, ms: 1420452193166002 }],
  ['123456789012345678901234567890', '123456789012345678901234567890'],
  ['[0.30000000000000004, 1e21, 1.5e300]', [0.30000000000000004, 1e21, 1.5e300]],
  ['{"text":"id: 123456789012345678, \\"x\\\\"}', { text: 'id: 123456789012345678, "x\\' }],
  [
    '{"a\\\\":"\\"123456789012345678","b":123456789012345678}',
    { 'a\\': '"123456789012345678', b: '123456789012345678' },
  ],
])('%s', (text, value) => {
  expect(parseJson(text)).toEqual(value);
});

test.each(['{"id":00123456789012345678}', '123456789012345678}', '"123456789012345678', ''])(
  '%s is no JSON',
  (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  },
);

test('is JSON.parse for everything but long integers', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 10 ** 15 }), (json, number) => {
      const text = `[${json},${JSON.stringify('9'.repeat(20))},${number}]`;
      expect(parseJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('keeps the digits of every integer, whatever is around it', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(10n ** 25n), max: 10n ** 25n }), fc.string(), (number, around) => {
      const text = `{${JSON.stringify(around)}: [${JSON.stringify(around)},${number} ]}`;
      const [, value] = (parseJson(text) as Record<string, unknown[]>)[around]!;
      expect(String(value)).toBe(String(number));
    }),
  );
});
