import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import fc from 'fast-check';
import { conditionSchema } from '../conditions/condition-schema.js';
import { faultsOf } from './check.js';
import { componentsOf } from './open-api.js';
import { checkOf, filled, uniqueBy } from './schema-check.js';
import {
  closedObject,
  stringEnum,
  optionalOr,
  orNull,
  textOfForm,
  visibleText,
  withNames,
  withRule,
} from './schema.js';

const schema = withRule(
  closedObject(
    {
      name: visibleText(5),
      code: Type.Optional(textOfForm('^[a-z]+$', 'must be letters', { maxLength: 3 })),
      size: optionalOr(1, Type.Integer({ minimum: 1, maximum: 9 })),
      color: optionalOr(null, orNull(stringEnum(['red', 'blue'], { $id: 'Color', description: 'Of the box.' }))),
      tags: optionalOr([], Type.Array(Type.String({ maxLength: 3 }), { maxItems: 2, uniqueItems: true })),
      shapes: Type.Optional(
        Type.Array(
          Type.Union(
            [
              closedObject(
                { type: Type.Literal('circle'), radius: Type.Integer({ minimum: 0, maximum: 9 }) },
                { $id: 'Circle' },
              ),
              closedObject({ type: Type.Literal('point'), near: optionalOr(false, Type.Boolean()) }, { $id: 'Point' }),
            ],
            { $id: 'Shape' },
          ),
        ),
      ),
      notes: Type.Optional(
        withNames(
          Type.Record(Type.String(), Type.String({ maxLength: 3 }), { minProperties: 1, maxProperties: 2 }),
          (value, path, report) => {
            if (value === 'bad') report(path, 'format', 'is a bad name');
          },
        ),
      ),
    },
    { $id: 'Box' },
  ),
  (value, _path, report) => {
    if ((value as { name?: unknown }).name === 'x') report('name', 'reserved', 'must not be x');
  },
);
const check = checkOf(schema);
const faults = (value: unknown) => faultsOf(check, value).map(({ path, rule }) => `${path} ${rule}`);

test.each<[unknown, string[]]>([
  [{ name: 'a' }, []],
  [{ name: 'a', code: null, size: null, color: null, tags: null }, []],
  [[], ['$ type']],
  [{}, ['name required']],
  [{ name: ' ', other: 1 }, ['other unknown', 'name required']],
  [{ name: 'x', size: 10 }, ['size range', 'name reserved']],
  [
    { name: 'abcdef', code: 'A', size: 1.5, color: 'green' },
    ['name maxLength', 'code format', 'size type', 'color enum'],
  ],
  [{ name: 'a', code: 'abcd' }, ['code maxLength']],
  [{ name: 'a', tags: ['a', 'b', 'c'] }, ['tags maxItems']],
  [{ name: 'a', tags: ['a', 'a'] }, ['tags[1] unique']],
  [
    { name: 'a', shapes: [{}, { type: 'line' }, 1] },
    ['shapes[0].type required', 'shapes[1].type enum', 'shapes[2] type'],
  ],
  [
    { name: 'a', shapes: [{ type: 'circle', radius: -1, near: true }] },
    ['shapes[0].near unknown', 'shapes[0].radius range'],
  ],
  [{ name: 'a', notes: {} }, ['notes required']],
  [{ name: 'a', notes: { bad: 'abcd' } }, ['notes["bad"] format', 'notes["bad"] maxLength']],
  [{ name: 'a', notes: { a: '', b: '', c: '' } }, ['notes maxItems']],
])('the errors of %j are %j', (value, expected) => expect(faults(value)).toEqual(expected));

test('the stored form has every field with a fallback, and null only where it is allowed', () => {
  expect(filled(schema, { name: 'a', code: null, shapes: [{ type: 'point' }] })).toEqual({
    name: 'a',
    size: 1,
    color: null,
    tags: [],
    shapes: [{ type: 'point', near: false }],
  });
});

test('the document has components for schemas with an id, and neither const nor null', () => {
  const components = componentsOf(schema, conditionSchema);
  expect(Object.keys(components)).toEqual([
    'Box',
    'Color',
    'Shape',
    'Circle',
    'Point',
    'Condition',
    'ConditionAll',
    'ConditionAny',
    'ConditionNot',
    'Predicate',
  ]);
  expect(components['Box']).toMatchObject({
    required: ['name'],
    properties: {
      color: { nullable: true, allOf: [{ $ref: '#/components/schemas/Color' }], description: 'Of the box.' },
      shapes: { type: 'array', items: { $ref: '#/components/schemas/Shape' } },
    },
  });
  expect(components['Shape']).toMatchObject({ discriminator: { mapping: { circle: '#/components/schemas/Circle' } } });
  expect(JSON.stringify(components)).not.toMatch(/"const"|"type":"null"|"\$id"|"anyOf"/);
});

test('an unsupported schema is an error', () => {
  expect(() => checkOf(Type.Tuple([Type.String()]))).toThrow(TypeError);
});

test('uniqueBy ignores missing values', () => {
  expect(
    faultsOf(
      uniqueBy((entry) => entry),
      [null, null, undefined, undefined, 1, 1],
    ),
  ).toHaveLength(1);
});

test('agrees with TypeBox about the structure of conditions', () => {
  const checkCondition = checkOf(conditionSchema);
  const node = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.record({
        field: fc.constantFrom('title', 5),
        op: fc.constantFrom('eq', 'is'),
        value: fc.constantFrom('a', 1),
      }),
      fc.record({ all: fc.array(tie('node'), { maxLength: 2 }) }),
      fc.record({ any: fc.oneof(fc.array(tie('node'), { maxLength: 2 }), fc.constant('x')) }),
      fc.record({ not: tie('node') }),
      fc.constantFrom({}, [], 'a', { all: [], any: [] }, { not: 1, extra: 1 }),
    ),
  })).node;
  fc.assert(
    fc.property(node, (value) => {
      expect(faultsOf(checkCondition, value).length === 0).toBe(Value.Check(conditionSchema, value));
    }),
    { numRuns: 500 },
  );
});
