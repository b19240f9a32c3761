/** The methods of a path: HEAD works like GET, OPTIONS names the methods, any other method is answered 405. */
import { Fault } from '@ams/contracts';
import type { FastifyInstance, FastifyReply, RouteHandlerMethod } from 'fastify';
import { METHODS } from 'node:http';

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/** The value of `Allow` for a path with these methods. */
export const allowedOf = (methods: readonly string[]): string[] =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort(
    (a, b) => order.indexOf(a) - order.indexOf(b),
  );

/** Answers OPTIONS; throws METHOD_NOT_ALLOWED for any other method. */
export function answerOtherMethod(method: string, allowed: string[], reply: FastifyReply): FastifyReply {
  if (method !== 'OPTIONS') throw new Fault('METHOD_NOT_ALLOWED', { allowed });
  return reply.code(204).header('allow', allowed.join(', ')).send();
}

type Handlers = Partial<Record<'GET' | 'POST', RouteHandlerMethod>>;

/** The handler of all methods of a path. */
export function handlerOf(handlers: Handlers): RouteHandlerMethod {
  const allowed = allowedOf(Object.keys(handlers));
  return async function (request, reply) {
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const handler = handlers[method as 'GET' | 'POST'];
    return handler ? handler.call(this, request, reply) : answerOtherMethod(method, allowed, reply);
  };
}

/** Costs a route for each method that Node can parse: not for hundreds of paths. */
export const addResource = (app: FastifyInstance, url: string, handlers: Handlers): void => {
  app.all(url, handlerOf(handlers));
};

/** Makes `app.all` accept every method that Node can parse, so that rare methods are answered by the same rules. */
export function takeAllMethods(app: FastifyInstance): void {
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method);
  }
}
