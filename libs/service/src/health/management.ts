/** The pages of `HealthController` on a port of their own, for services that strangers can reach. */
import { HttpException, type INestApplicationContext } from '@nestjs/common';
import fastify, { type FastifyReply } from 'fastify';
import type { AddressInfo } from 'node:net';
import { withoutSchemas } from '../fastify-schemas.js';
import type { EdgeSettings } from '../settings.js';
import { HealthController } from './health.controller.js';

export interface Management {
  port: number;
  close(): Promise<void>;
}

export async function serveManagement(
  app: INestApplicationContext,
  { managementHost: host, managementPort: port }: EdgeSettings,
): Promise<Management> {
  const pages = app.get(HealthController);
  const server = fastify({ forceCloseConnections: true, requestTimeout: 10_000, ...withoutSchemas });
  server.get('/healthz', () => pages.alive());
  server.get('/livez', (_request, reply) => check(reply, pages.live()));
  server.get('/readyz', (_request, reply) => check(reply, pages.ready()));
  server.get('/metrics', async (_request, reply) =>
    reply.type('text/plain; version=0.0.4; charset=utf-8').send(await pages.metrics()),
  );
  await server.listen({ host, port });
  return { port: (server.server.address() as AddressInfo).port, close: () => server.close() };
}

/** Terminus throws the body of a failed check. */
async function check(reply: FastifyReply, result: Promise<unknown>): Promise<unknown> {
  try {
    return await result;
  } catch (error) {
    if (!(error instanceof HttpException)) throw error;
    return reply.code(error.getStatus()).send(error.getResponse());
  }
}
