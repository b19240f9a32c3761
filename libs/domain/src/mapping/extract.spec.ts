import { extract, extractLimits, parseExtract, type Extraction } from './extract.js';

const compiled = (pattern: string): Extraction => {
  const result = parseExtract(pattern);
  if (result.kind === 'fault') throw new Error(`${pattern}: ${result.message}`);
  return result;
};

test.each([
  ['^\\[[^\\]]*\\]\\s*(.+)$', '[Triggered on {host:web-01}] CPU high', 'CPU high'],
  ['^\\[[^\\]]*\\]\\s*(.+)$', 'CPU high', 'CPU high'],
  ['id=(\\d+)', 'a id=42 b id=43', '42'],
  ['x(y)?', 'x', 'x'],
  ['(.+)', 'two\nlines', 'two\nlines'],
  ['^(\\w+) .*on (\\w+)', 'disk is full on web', 'diskweb'],
  ['on (\\w+)|node (\\w+)', 'node web', 'web'],
  ['on (\\w+)|()$', 'full', ''],
  ['(?i)host: (\\S+)', 'HOST: Web-01', 'Web-01'],
])('%s in %s', (pattern, text, result) => {
  expect(extract(compiled(pattern), text, { left: 1_000_000 })).toBe(result);
});

test.each([
  ['a', 'one group'],
  ['(a)(b)(c)(d)(e)', 'one group'],
  ['(a', 'regular expression'],
  ['(a)\\1', 'regular expression'],
  ['(?=a)(b)', 'regular expression'],
  ['((?:a{1,30}){1,30})', 'too many repetitions'],
  [`(${'a'.repeat(extractLimits.pattern)})`, 'characters'],
])('%s is rejected', (pattern, message) => {
  expect(parseExtract(pattern)).toMatchObject({ kind: 'fault', message: expect.stringContaining(message) as string });
});

test('a text over the limit stays unchanged', () => {
  const text = `id=1 ${'x'.repeat(extractLimits.text)}`;
  expect(extract(compiled('id=(\\d)'), text, { left: 1_000_000 })).toBe(text);
});

test('a pattern that would block a backtracking engine takes few steps', () => {
  const text = 'a'.repeat(extractLimits.text);
  const budget = { left: extractLimits.steps };
  expect(extract(compiled('(?:(?:a*)*)*(b)'), text, budget)).toBe(text);
  expect(budget.left).toBeGreaterThan(extractLimits.steps - 100_000);
});

test('a search ends when it takes too many steps', () => {
  const budget = { left: extractLimits.payloadSteps };
  expect(extract(compiled('(?:a?){120}(z)'), 'a'.repeat(extractLimits.text), budget)).toBeNull();
  expect(budget.left).toBeGreaterThan(extractLimits.payloadSteps - extractLimits.steps - 1_000);
});
