/** The owner of an operation accepts every example of a request that the document shows. */
import { allOperations, announcementOf, Fault, type Class, type Operation } from '@ams/contracts';
import { noParameters, validate } from './validate.js';

interface Parameter {
  name: string;
  in: string;
  explode?: boolean;
  example: unknown;
}

const parametersOf = (op: Operation): Parameter[] => {
  const parameters = announcementOf(op.owner, [op]).operations[0]?.openapi['parameters'] as Parameter[];
  return parameters.filter((parameter) => parameter.in === 'query');
};

/** As the gateway reads it from a URL: texts, and a list where a name is repeated. */
const asSent = ({ explode, example }: Parameter): string | string[] =>
  Array.isArray(example) ? (explode ? example.map(String) : example.join(',')) : String(example);

const query = (op: Operation, sent: Record<string, string | string[]>): void => {
  if (op.query) validate(op.query as Class<object>, sent, 'query');
  else noParameters(sent);
};

const body = (op: Operation, sent: unknown): unknown =>
  validate(op.body as Class<object>, sent, 'body', { check: op.check, verbatim: op.verbatim });

/** The fields at fault; none when the request is accepted. */
function faultsOf(ask: () => unknown): string[] {
  try {
    ask();
    return [];
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return (error as Fault<'VALIDATION_ERROR'>).details.fields.map(({ path, rule }) => `${path} ${rule}`);
  }
}

const named = (operations: readonly Operation[]) => operations.map((op): [string, Operation] => [op.operationId, op]);

it.each(named(allOperations))('%s accepts the query of its example, and the example of each parameter', (_name, op) => {
  expect(faultsOf(() => query(op, op.example.query ?? {}))).toEqual([]);
  expect(
    faultsOf(() =>
      query(op, Object.fromEntries(parametersOf(op).map((parameter) => [parameter.name, asSent(parameter)]))),
    ),
  ).toEqual([]);
});

it.each(named(allOperations.filter((op) => op.body)))(
  '%s takes the body that it shows, and no field beside',
  (_name, op) => {
    expect(faultsOf(() => body(op, op.example.body))).toEqual([]);
    expect(faultsOf(() => body(op, { ...(op.example.body as object), nmae: 1 }))).toContain('nmae unknown');
  },
);

it.each(named(allOperations.filter((op) => op.bodyOptional)))(
  '%s treats a missing body as an empty one',
  (_name, op) => {
    expect(faultsOf(() => body(op, {}))).toEqual([]);
  },
);
