import fc from 'fast-check';
import { parsePath, pathLimits, replaceAt, resolve, someValue, type Path } from './path.js';

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
  ['alerts[first].status', 'firing'],
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
  ['a[all', 1],
  ['a[allx]', 2],
  ['a[x!y]', 2],
  ['a[=x]', 2],
  ['a[b..c=x]', 2],
  ['a[b=x', 1],
  ['a[b="x]', 1],
  ['a[b="x"y]', 7],
  ['a[all b]', 7],
  ['a["b"', 1],
  ['a[constructor=x]', 2],
  ['a[b.__proto__=x]', 2],
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
    'all ',
    '[any]',
    '[all]',
    '=',
    '!=',
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

describe('elements of a list', () => {
  const payload = {
    jobs: [
      { name: 'lint', status: 'ok', tries: 1 },
      {
        name: 'test',
        status: 'failed',
        tries: 2,
        steps: [
          { id: 'a', ok: true },
          { id: 'b', ok: false },
        ],
      },
      { name: null, status: 'failed', tries: 3, steps: [{ id: 'c', ok: false }] },
      { name: 'build', status: 'failed', run: { by: 'a]b' } },
      'no object',
    ],
    empty: [],
    object: { status: 'failed', name: 'x' },
  };

  test.each([
    ['jobs[status=failed].name', 'test'],
    ['jobs["status"="failed"].name', 'test'],
    ["jobs['status'=failed].name", 'test'],
    ['jobs[any status=failed].name', 'test'],
    ['jobs[all status=failed].name', ['test', 'build']],
    ['jobs[status!=failed].name', 'lint'],
    ['jobs[all status!=failed].name', ['lint']],
    ['jobs[tries=2].status', 'failed'],
    ['jobs[run.by="a]b"].name', 'build'],
    ['jobs[any].steps[ok=false].id', 'b'],
    ['jobs[all].steps[ok=false].id', ['b', 'c']],
    ['jobs[all].steps[all].id', ['a', 'b', 'c']],
    ['jobs[any].steps[all].id', ['a', 'b']],
    ['jobs[all].name', ['lint', 'test', 'build']],
    ['jobs[any].steps.1.id', 'b'],
    ['jobs[all].steps', [payload.jobs[1], payload.jobs[2]].map((job) => (job as { steps: object }).steps)],
    ['$.jobs[4=x]', undefined],
    ['jobs[status=skipped].name', undefined],
    ['jobs[all status=skipped].name', undefined],
    ['jobs[toString=x].name', undefined],
    ['empty[any]', undefined],
    ['empty[all]', undefined],
    ['object[status=failed].name', undefined],
    ['object[all]', undefined],
    ['missing[any].x', undefined],
  ])('%s', (text, value) => {
    expect(resolve(compiled(text), payload, payload)).toEqual(value);
  });

  test('a path from the meter ends early, and costs a unit for each element', () => {
    const list = { list: Array.from({ length: 100 }, () => ({ a: 'x' })) };
    const meter = { left: 1_000 };
    resolve(compiled('list[all].a'), list, list, meter);
    expect(meter.left).toBe(900);
    resolve(compiled('list[any].b'), list, list, meter);
    expect(meter.left).toBe(800);
    const short = { left: 10 };
    expect(resolve(compiled('list[all].a'), list, list, short)).toHaveLength(10);
    expect(short.left).toBe(-1);
  });

  const elements = fc.array(fc.record({ k: fc.constantFrom('x', 'y', 1, null), v: fc.option(fc.integer()) }));

  test('[any] and a condition give the first value, [all] all values, of the elements as they are filtered', () => {
    fc.assert(
      fc.property(elements, fc.constantFrom('x', '1', 'z'), (list, text) => {
        const holder = { list };
        const at = (path: string) => resolve(compiled(path), holder, holder);
        const values = (kept: typeof list) => kept.map(({ v }) => v).filter((v) => v !== null);
        const orNothing = (found: unknown[]) => (found.length === 0 ? undefined : found);
        const equal = list.filter(({ k }) => k !== null && String(k) === text);
        const others = list.filter((element) => !equal.includes(element));
        expect(at('list[all].v')).toEqual(orNothing(values(list)));
        expect(at('list[any].v')).toEqual(values(list)[0]);
        expect(at(`list[all k=${text}].v`)).toEqual(orNothing(values(equal)));
        expect(at(`list[k=${text}].v`)).toEqual(values(equal)[0]);
        expect(at(`list[all k!="${text}"].v`)).toEqual(orNothing(values(others)));
      }),
    );
  });

  test('a test of values: one element for [any], all elements for [all]', () => {
    fc.assert(
      fc.property(elements, (list) => {
        const holder = { list };
        const isX = (value: unknown) => value === 'x';
        const passed = (path: string) => someValue(compiled(path), holder, holder, isX, { left: 1_000 });
        expect(passed('list[any].k')).toBe(list.some(({ k }) => k === 'x'));
        expect(passed('list[all].k')).toBe(list.length > 0 && list.every(({ k }) => k === 'x'));
        expect(passed('list.0.k')).toBe(list[0]?.k === 'x');
      }),
    );
  });
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
