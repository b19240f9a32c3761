/**
 * Routes of receivers. They run in Fastify's first hook, below Nest and below Fastify's own reading of bodies, because
 * the token and the rate limit are checked before the body is read. The order of checks is
 *
 *   token form -> token known and enabled -> rate limit -> size -> content type, JSON -> mapping, required fields
 *   -> store
 *
 * (PagerDuty's API has the token in the body, so there the body is read first, in a shorter time.) A check that fails
 * throws a Fault, which is answered here in the format of the API that the sender uses. There is no 2xx before NATS has
 * acknowledged that the events are stored.
 */
import { beginRequest, methodOf, within } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';
import { IngestSettings } from '../settings.js';
import { newRequestContext, type ReceiverApi, type RequestContext } from './request-context.js';
import { Responder } from './responder.js';

@Injectable()
export class ReceiverRoutes {
  constructor(
    private readonly settings: IngestSettings,
    private readonly responder: Responder,
  ) {}

  add(
    fastify: FastifyInstance,
    url: string,
    api: ReceiverApi,
    serve: (context: RequestContext, parameters: Record<string, string>) => Promise<void>,
  ): void {
    const { storeTimeoutMs } = this.settings;
    fastify.route({
      method: [...fastify.supportedMethods],
      url,
      exposeHeadRoute: false,
      onRequest: (request, reply) => {
        reply.hijack();
        // The template of the path: the path itself may have the token.
        const span = beginRequest(request.raw.headers, () => ({
          'http.request.method': methodOf(request.method),
          'http.route': url,
        }));
        const context = newRequestContext(api, request.raw, reply.raw, request.ip, { storeTimeoutMs, span });
        within(span, () =>
          serve(context, request.params as Record<string, string>).catch((error: unknown) =>
            this.responder.fail(context, error),
          ),
        );
      },
      handler: () => undefined,
    });
  }
}
