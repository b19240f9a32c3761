/** Conditions and predicates as schemas: their types, the check of their structure and their documents. */
import { Type, type Static } from '@sinclair/typebox';
import { checkedBy, closedObject, oneOfWords } from '../validation/schema.js';
import { maxValueLength, operators } from './condition-fields.js';

export const conditionLimits = {
  /** Nodes on the way from the root to a predicate, both counted. */
  depth: 10,
  nodes: 200,
  /** Entries of the list of `in` and `notIn`. */
  values: 100,
  /** Characters of the name of a field. */
  field: 300,
} as const;

const scalar = [Type.String({ maxLength: maxValueLength }), Type.Number(), Type.Boolean()];

/** Which values a predicate may have depends on its field and operator: condition-check.ts decides. */
const decidedLater = () => undefined;

export const predicateSchema = closedObject(
  {
    field: Type.String({
      maxLength: conditionLimits.field,
      description:
        'A field of the alert (`severity`, `title`, …), `labels.<key>`, `annotations.<key>`, `client.slug`, `integration.name`, `incident.<field>`, or `now.time`, `now.weekday`, `now.date`.',
    }),
    op: oneOfWords(operators, {
      description:
        '`matches` takes an RE2 expression. Severities are ordered: info is the lowest, critical the highest.',
    }),
    value: checkedBy(
      Type.Unsafe<unknown>(
        Type.Union([...scalar, Type.Array(Type.Union(scalar), { minItems: 1, maxItems: conditionLimits.values })], {
          description: 'A list for `in` and `notIn`, true or false for `exists`, else one value.',
        }),
      ),
      decidedLater,
    ),
    timezone: Type.Optional(
      checkedBy(
        Type.String({ description: 'IANA time zone of a `now.` field; UTC when it is left out.' }),
        decidedLater,
      ),
    ),
  },
  {
    $id: 'Predicate',
    description:
      'A field compared with a value. A field without a value makes every operator false but `neq`, `notIn` and `exists: false`.',
  },
);

export type Predicate = Static<typeof predicateSchema>;

export const conditionSchema = Type.Recursive(
  (condition) =>
    Type.Union([
      closedObject(
        { all: Type.Array(condition, { minItems: 1 }) },
        { $id: 'ConditionAll', description: 'Holds when all of them hold.' },
      ),
      closedObject(
        { any: Type.Array(condition, { minItems: 1 }) },
        { $id: 'ConditionAny', description: 'Holds when one of them holds.' },
      ),
      closedObject({ not: condition }, { $id: 'ConditionNot', description: 'Holds when the condition does not.' }),
      predicateSchema,
    ]),
  {
    $id: 'Condition',
    description:
      'A tree: `all` and `any` of conditions, `not` of one, and at its leaves a field with an operator. At most 10 deep and 200 nodes.',
  },
);

export type Condition = Static<typeof conditionSchema>;
