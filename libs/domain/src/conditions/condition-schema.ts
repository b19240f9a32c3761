/** The schemas of conditions and predicates: they give types, structure checks and OpenAPI schemas. */
import { Type, type Static } from '@sinclair/typebox';
import { checkedBy, closedObject, stringEnum } from '../validation/schema.js';
import { maxValueLength, operators } from './condition-fields.js';

export const conditionLimits = {
  /** Nodes from the root to a predicate, both included. */
  depth: 10,
  nodes: 200,
  /** The maximum number of values for `in` and `notIn`. */
  values: 100,
  /** The maximum length in characters of a field name. */
  field: 300,
} as const;

const scalar = [Type.String({ maxLength: maxValueLength }), Type.Number(), Type.Boolean()];

/** The allowed values depend on field and operator; see condition-check.ts. */
const decidedLater = () => undefined;

export const predicateSchema = closedObject(
  {
    field: Type.String({
      maxLength: conditionLimits.field,
      description:
        'A field of the alert (`severity`, `title`, …), `labels.<key>`, `annotations.<key>`, `client.slug`, ' +
        '`integration.name`, `incident.<field>`, or `now.time`, `now.weekday`, `now.date`. For the events of ' +
        'incidents: `alerts.any.<field>`, a field of at least one open alert of the incident.',
    }),
    op: stringEnum(operators, {
      description:
        '`matches` takes an RE2 expression. Severities are ordered: info is the lowest, critical the highest.',
    }),
    value: checkedBy(
      Type.Unsafe<unknown>(
        Type.Union([...scalar, Type.Array(Type.Union(scalar), { minItems: 1, maxItems: conditionLimits.values })], {
          description: 'A list for `in` and `notIn`, a boolean for `exists`, otherwise a single value.',
        }),
      ),
      decidedLater,
    ),
    timezone: Type.Optional(
      checkedBy(Type.String({ description: 'The IANA time zone for a `now.` field. Default: UTC.' }), decidedLater),
    ),
  },
  {
    $id: 'Predicate',
    description:
      'Compares a field with a value. If the field has no value, only `neq`, `notIn` and `exists: false` hold.',
  },
);

export type Predicate = Static<typeof predicateSchema>;

export const conditionSchema = Type.Recursive(
  (condition) =>
    Type.Union([
      closedObject(
        { all: Type.Array(condition, { minItems: 1 }) },
        { $id: 'ConditionAll', description: 'Holds when all of the conditions hold.' },
      ),
      closedObject(
        { any: Type.Array(condition, { minItems: 1 }) },
        { $id: 'ConditionAny', description: 'Holds when at least one of the conditions holds.' },
      ),
      closedObject({ not: condition }, { $id: 'ConditionNot', description: 'Holds when the condition does not hold.' }),
      predicateSchema,
    ]),
  {
    $id: 'Condition',
    description:
      'A tree: `all` and `any` contain conditions, `not` contains one condition, and each leaf compares a ' +
      'field by an operator. At most 10 levels and 200 nodes.',
  },
);

export type Condition = Static<typeof conditionSchema>;
