import type { FastifyServerOptions } from 'fastify';

function isUnused(): never {
  throw new Error('No route has a schema of Fastify: requests are validated by class-validator.');
}

/** So that Fastify does not load its compilers of schemas (ajv and others), which take 10 ms of each start. */
export const withoutSchemas: Pick<FastifyServerOptions, 'schemaController'> = {
  schemaController: { compilersFactory: { buildValidator: isUnused, buildSerializer: isUnused } },
};
