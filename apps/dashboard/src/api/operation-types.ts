/** The types of an operation, by its id in docs/openapi.json: what it takes and what it answers. */
import type { operations } from '@ams/client';

export type OperationId = keyof operations;

type PathOf<O> = O extends { parameters: { path: infer Path } } ? { path: Path } : unknown;
type QueryOf<O> = O extends { parameters: { query: infer Query } }
  ? { query: Query }
  : O extends { parameters: { query?: infer Query } }
    ? [NonNullable<Query>] extends [never]
      ? unknown
      : { query?: NonNullable<Query> }
    : unknown;
type Json<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;
type BodyOf<O> = O extends { requestBody: infer Request }
  ? { body: Json<Request> }
  : O extends { requestBody?: infer Request }
    ? [NonNullable<Request>] extends [never]
      ? unknown
      : { body?: Json<NonNullable<Request>> }
    : unknown;

/** `{ path: { id }, query: { status: ['firing'] }, body: { note } }`, as far as the operation has them. */
export type Input<Id extends OperationId> = PathOf<operations[Id]> & QueryOf<operations[Id]> & BodyOf<operations[Id]>;

/** The input may be left out when nothing in it is required. */
export type InputArgument<Id extends OperationId> =
  Record<never, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>];

type Success<Responses> = Responses[keyof Responses & (200 | 201 | 202)];

/** The body of the success; `undefined` for a deletion. */
export type Reply<Id extends OperationId> = operations[Id] extends { responses: infer Responses }
  ? [Json<Success<Responses>>] extends [never]
    ? undefined
    : Json<Success<Responses>>
  : never;

/** `data` of the reply. */
export type Data<Id extends OperationId> = Reply<Id> extends { data: infer D } ? D : undefined;

export type QueryInput<Id extends OperationId> = Input<Id> extends { query?: infer Query } ? NonNullable<Query> : never;
export type Body<Id extends OperationId> = Input<Id> extends { body?: infer B } ? NonNullable<B> : never;

/** The operations that answer a list with a cursor, and one record of such a list. */
export type ListId = {
  [Id in OperationId]: Reply<Id> extends { data: unknown[]; meta: unknown } ? Id : never;
}[OperationId];
export type Item<Id extends ListId> = Data<Id> extends (infer One)[] ? One : never;
