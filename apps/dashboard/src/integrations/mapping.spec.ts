import fc from 'fast-check';
import {
  draftOf,
  hasShape,
  jsonOf,
  kindOf,
  mappingOf,
  sourcesOf,
  withJson,
  withKind,
  withSources,
  withText,
  writtenOf,
  type Mapping,
  type Rule,
} from './mapping.js';

const empty: Mapping = {
  itemsPath: null,
  parseJson: [],
  fieldMappings: [],
  severityMap: null,
  statusMap: null,
  defaultSeverity: null,
  staticLabels: {},
  ignoreWhen: [],
};

const word = fc.string({ minLength: 1, maxLength: 5 }).filter((text) => text !== '__proto__');
const mappings: fc.Arbitrary<Mapping> = fc.record({
  itemsPath: fc.constantFrom(null, 'alerts'),
  parseJson: fc.array(word, { maxLength: 2 }),
  fieldMappings: fc.array(
    fc.oneof(
      fc.record({ target: word, source: fc.oneof(word, fc.array(word, { minLength: 2, maxLength: 3 })) }),
      fc.record({ target: word, template: word }),
      fc.record({ target: word, value: fc.oneof(word, fc.integer(), fc.boolean()), default: word }),
    ) as fc.Arbitrary<Rule>,
    { maxLength: 3 },
  ),
  severityMap: fc.option(fc.dictionary(word, fc.constantFrom('critical' as const, 'low' as const), { minKeys: 1 })),
  statusMap: fc.constantFrom(null, { down: 'firing' as const }),
  defaultSeverity: fc.constantFrom(null, 'medium' as const),
  staticLabels: fc.dictionary(word, word, { maxKeys: 3 }),
  ignoreWhen: fc.constantFrom([], [{ path: 'a', equals: 'b' }]),
});

it('is the same after it was shown in the form, or as JSON', () => {
  fc.assert(
    fc.property(mappings, (mapping) => {
      const draft = draftOf(mapping);
      expect(JSON.parse(JSON.stringify(writtenOf(draft)))).toEqual(JSON.parse(JSON.stringify(mapping)));
      const json = JSON.parse(jsonOf(draft)) as Record<string, unknown>;
      expect(hasShape(json)).toBe(true);
      expect(jsonOf(withJson(draftOf(empty), json))).toBe(jsonOf(draft));
    }),
  );
});

it('takes the mapping of an integration only', () => {
  expect(mappingOf({ ...empty, name: 'x' } as Mapping)).toEqual(empty);
});

it('leaves out words that are not typed yet, and empty maps', () => {
  const draft = { ...draftOf(empty), severityMap: [['', 'high']] as const, staticLabels: [['', 'a']] as const };
  expect(writtenOf(draft)).toEqual(empty);
});

it.each<[unknown, boolean]>([
  [{}, true],
  [{ fieldMappings: null, severityMap: null }, true],
  [{ fieldMappings: [1] }, false],
  [{ parseJson: 'a' }, false],
  [{ staticLabels: { a: 1 } }, false],
  [[], false],
  [null, false],
  ['text', false],
])('%j can be shown in the form: %s', (value, expected) => {
  expect(hasShape(value)).toBe(expected);
});

it('says where a field comes from in one way only', () => {
  const rule: Rule = { target: 'title', source: ['a', 'b'], default: 'c' };
  expect([kindOf(rule), sourcesOf(rule)]).toEqual(['source', ['a', 'b']]);
  expect(withKind(rule, 'template')).toEqual({ target: 'title', default: 'c', template: '' });
  expect(withSources(rule, ['a'])).toEqual({ target: 'title', source: 'a', default: 'c' });
  expect(withSources(rule, [])).toEqual({ target: 'title', source: '', default: 'c' });
  expect(withText(rule, 'default', '')).toEqual({ target: 'title', source: ['a', 'b'] });
  expect(withText(rule, 'extract', 'x')).toEqual({ ...rule, extract: 'x' });
});
