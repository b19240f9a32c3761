/**
 * Conditions as JSON schemas. The domain checks them (validateCondition, with faults that name the node); these say the
 * same to whoever reads the document or generates a client from it. No class can: a condition is made of conditions.
 */
import { operators } from '@ams/domain';

export const predicateRef = { $ref: '#/components/schemas/Predicate' } as const;
export const conditionRef = { $ref: '#/components/schemas/Condition' } as const;

const scalar = [{ type: 'string', maxLength: 4096 }, { type: 'number' }, { type: 'boolean' }];
const branch = (word: 'all' | 'any', description: string) => ({
  type: 'object',
  required: [word],
  additionalProperties: false,
  description,
  properties: { [word]: { type: 'array', minItems: 1, items: conditionRef } },
});

export const conditionSchemas: Record<string, object> = {
  Condition: {
    description:
      'A tree: `all` and `any` of conditions, `not` of one, and at its leaves a field with an operator. At most 10 deep and 200 nodes.',
    oneOf: [
      { $ref: '#/components/schemas/ConditionAll' },
      { $ref: '#/components/schemas/ConditionAny' },
      { $ref: '#/components/schemas/ConditionNot' },
      predicateRef,
    ],
  },
  ConditionAll: branch('all', 'Holds when all of them hold.'),
  ConditionAny: branch('any', 'Holds when one of them holds.'),
  ConditionNot: {
    type: 'object',
    required: ['not'],
    additionalProperties: false,
    description: 'Holds when the condition does not.',
    properties: { not: conditionRef },
  },
  Predicate: {
    type: 'object',
    required: ['field', 'op', 'value'],
    additionalProperties: false,
    description:
      'A field compared with a value. A field without a value makes every operator false but `neq`, `notIn` and `exists: false`.',
    properties: {
      field: {
        type: 'string',
        maxLength: 300,
        description:
          'A field of the alert (`severity`, `title`, …), `labels.<key>`, `annotations.<key>`, `client.slug`, `integration.name`, `incident.<field>`, or `now.time`, `now.weekday`, `now.date`.',
      },
      op: {
        type: 'string',
        enum: [...operators],
        description:
          '`matches` takes an RE2 expression. Severities are ordered: info is the lowest, critical the highest.',
      },
      value: {
        description: 'A list for `in` and `notIn`, true or false for `exists`, else one value.',
        oneOf: [...scalar, { type: 'array', minItems: 1, maxItems: 100, items: { oneOf: scalar } }],
      },
      timezone: { type: 'string', description: 'IANA time zone of a `now.` field; UTC when it is left out.' },
    },
  },
};
