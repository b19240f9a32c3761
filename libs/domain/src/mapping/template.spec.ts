import fc from 'fast-check';
import { parseTemplate, render, templateLimits, type Template } from './template.js';

const compiled = (text: string): Template => {
  const template = parseTemplate(text);
  if (template.kind === 'fault') throw new Error(`${text}: ${template.message}`);
  return template;
};
const rendered = (text: string, item: unknown, root: unknown = item) =>
  render(compiled(text), item, root, { left: 1_000_000 });

const item = {
  host: 'web-01',
  check: { name: 'http', code: 503, ok: false },
  blank: ' ',
  none: null,
  list: ['a', { b: 1 }],
};

test.each([
  ['{{host}}', 'web-01'],
  ['{{ host }}:{{check.name}}', 'web-01:http'],
  ['{{check.code}} {{check.ok}}', '503 false'],
  ['{{host}}!{{missing}}', 'web-01!'],
  ['{{missing}}!{{none}}{{blank}}', undefined],
  ['{{list}}', '["a",{"b":1}]'],
  ['{{list.0}}', 'a'],
  ['{{$.host}}', 'web-01'],
  ['{{$["host"]}}', 'web-01'],
  ['no places', 'no places'],
  ['', ''],
  ['a }} b', 'a }} b'],
  ['{host}', '{host}'],
])('%s', (text, result) => {
  expect(rendered(text, item)).toBe(result);
});

test.each([
  ['{{host', 0],
  ['a {{host} b', 2],
  ['{{}}', 2],
  ['x {{ a..b }}', 7],
  ['{{__proto__}}', 2],
  ['x'.repeat(templateLimits.length + 1), templateLimits.length],
])('%s is rejected at the position of the error', (text, position) => {
  expect(parseTemplate(text)).toEqual({ kind: 'fault', position, message: expect.any(String) as string });
});

test('a rendered text has a maximum length', () => {
  const template = '{{big}}'.repeat(100);
  const text = rendered(template, { big: 'x'.repeat(50_000) });
  expect(text!.length).toBeLessThan(templateLimits.rendered + 50_001);
});

test('any text is a template that renders without throwing, or an error with a position in the text', () => {
  const pieces = fc.constantFrom('{{', '}}', '{', '}', 'a', '.', '[0]', '$', '"', ' ', '😀');
  const texts = fc.oneof(
    fc.string(),
    fc.array(pieces, { maxLength: 40 }).map((parts) => parts.join('')),
  );
  fc.assert(
    fc.property(texts, fc.jsonValue(), (text, payload) => {
      const template = parseTemplate(text);
      if (template.kind === 'fault') expect(template.position).toBeLessThanOrEqual(text.length);
      else expect(['string', 'undefined']).toContain(typeof render(template, payload, payload, { left: 1_000 }));
    }),
  );
});
