import fc from 'fast-check';
import { parsePath, pathLimits, replaceAt, resolve, type Path } from './path.js';

const compiled = (text: string): Path => {
  const path = parsePath(text);
  if (path.kind === 'fault') throw new Error(`${text}: ${path.message}`);
  return path;
};

const item = {
  title: 'x',
  labels: { 'app.kubernetes.io/name': 'shop', "it's": 1, 'a"b]': 2 },
  alerts: [{ status: 'firing' }, { status: 'resolved', tags: [['a', 'b']] }],
  '0': 'zero',
  empty: null,
};
const root = { externalURL: 'http://am', list: [1, 2] };

test.each([
  ['title', 'x'],
  ['labels["app.kubernetes.io/name"]', 'shop'],
  ["labels['app.kubernetes.io/name']", 'shop'],
  ['labels["it\'s"]', 1],
  ["labels['it\\'s']", 1],
  ['labels["a\\"b]"]', 2],
  ['alerts.1.status', 'resolved'],
  ['alerts[1].status', 'resolved'],
  ['alerts[1].tags.0.1', 'b'],
  ['0', 'zero'],
  ['["title"]', 'x'],
  ['empty', null],
  ['$.externalURL', 'http://am'],
  ['$.list[1]', 2],
  ['$["externalURL"]', 'http://am'],
  ['$', root],
  ['missing', undefined],
  ['missing.deeper', undefined],
  ['title.length', undefined],
  ['alerts.length', undefined],
  ['alerts.9', undefined],
  ['alerts.01', undefined],
  ['alerts.-1', undefined],
  ['empty.x', undefined],
  ['toString', undefined],
  ['labels.hasOwnProperty', undefined],
])('%s resolves to the value', (text, value) => {
  expect(resolve(compiled(text), item, root)).toEqual(value);
});

test.each([
  ['', 0],
  ['a..b', 2],
  ['.a', 0],
  ['a.', 2],
  ['$.', 2],
  ['a[', 1],
  ['a[x]', 2],
  ['a["x', 1],
  ['a["x"', 1],
  ['a]', 1],
  ['a[0]b', 4],
  ['a.__proto__', 1],
  ['constructor', 0],
  ['a["prototype"].b', 1],
  ['a'.repeat(pathLimits.length + 1), pathLimits.length],
  [
    Array(pathLimits.segments + 1)
      .fill('a')
      .join('.'),
    63,
  ],
])('%s is rejected at the position of the error', (text, position) => {
  expect(parsePath(text)).toEqual({ kind: 'fault', position, message: expect.any(String) as string });
});

test('any text is either a path that resolves without throwing, or an error with a position in the text', () => {
  const pieces = fc.constantFrom(
    'a',
    'b.c',
    '.',
    '[',
    ']',
    '"',
    "'",
    '\\',
    '$',
    '0',
    '[0]',
    '["x"]',
    '__proto__',
    '😀',
    '\0',
    ' ',
  );
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.jsonValue(), (text, payload) => {
      const path = parsePath(text);
      if (path.kind === 'path') {
        resolve(path, payload, payload);
        expect(path.segments.length).toBeLessThanOrEqual(pathLimits.segments);
      } else {
        expect(path.position).toBeGreaterThanOrEqual(0);
        expect(path.position).toBeLessThanOrEqual(text.length);
      }
    }),
  );
});

test('every key can be written in brackets', () => {
  const refused = ['__proto__', 'constructor', 'prototype'];
  fc.assert(
    fc.property(
      fc.string({ maxLength: 100 }).filter((key) => !refused.includes(key)),
      (key) => {
        const path = compiled(`["${key.replace(/[\\"]/g, '\\$&')}"]`);
        expect(resolve(path, { [key]: 'found' }, null)).toBe('found');
      },
    ),
  );
});

describe('replaceAt', () => {
  const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value);

  test('copies the objects along the path and shares the rest', () => {
    const changed = replaceAt(compiled('alerts.0.status'), item, upper) as typeof item;
    expect(changed.alerts[0]).toEqual({ status: 'FIRING' });
    expect(item.alerts[0]).toEqual({ status: 'firing' });
    expect(changed.alerts[1]).toBe(item.alerts[1]);
    expect(changed.labels).toBe(item.labels);
  });

  test.each(['missing', 'empty', 'alerts.7', 'labels["it\'s"]'])(
    'returns the payload itself when %s has nothing to change',
    (text) => {
      expect(replaceAt(compiled(text), item, upper)).toBe(item);
    },
  );

  test('treats a "__proto__" key of the sender as an ordinary key', () => {
    const payload = JSON.parse('{"__proto__":{"polluted":true},"text":"x"}') as object;
    const changed = replaceAt(compiled('text'), payload, upper) as object;
    expect(Object.keys(changed)).toEqual(['__proto__', 'text']);
    expect(Object.getPrototypeOf(changed)).toBe(Object.prototype);
    expect('polluted' in {}).toBe(false);
  });
});
