/**
 * The life of a service: settings, log, HTTP port with health and metrics, broker, and an orderly end.
 *
 *   start   settings -> broker -> the app's own parts -> HTTP port -> ready
 *   end     not ready -> DRAIN_DELAY_MS, of those that callers reach by HTTP: connections that were on their way are taken
 *           -> the parts drain in the reverse order of their start -> broker -> exit 0
 *
 * A second signal, or a drain that takes longer than DRAIN_SECONDS, ends it at once.
 */
import 'reflect-metadata';
import { connectNats, isNatsConnected, type NatsConnection } from '@ams/messaging';
import { Module, type DynamicModule, type LoggerService, type Provider } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { createLog, type Logger } from './log.js';
import { Metrics } from './metrics.js';
import { EdgeSettings, readSettings, SettingsError, type ServiceSettings } from './settings.js';

/** A part of a service that starts after what it needs and is stopped before it. */
export interface Part {
  start?(): Promise<void>;
  /** Takes nothing new and finishes what it has. */
  drain?(): Promise<void>;
  /** Whether it can work now; `null` is yes, a text says what is missing. */
  trouble?(): string | null | Promise<string | null>;
}

/** What a service gets from here. */
export interface Context<S extends ServiceSettings> {
  settings: S;
  log: Logger;
  metrics: Metrics;
  broker: NatsConnection;
}

/** Tokens for Nest's injector. */
export const Tokens = { settings: 'settings', log: 'log', metrics: 'metrics', broker: 'broker' } as const;

export interface ServiceDefinition<S extends ServiceSettings> {
  name: string;
  settings: new () => S;
  /** Nest providers; those that are Parts are started in this order. */
  providers: Provider[];
  parts: (new (...args: never[]) => Part)[];
  /** Options of the HTTP server, or how they follow from the settings. */
  fastify?: FastifyServerOptions | ((settings: S) => FastifyServerOptions);
  /** Routes of the edge services, straight on Fastify: the hot paths. */
  routes?: (http: FastifyInstance, app: NestFastifyApplication, context: Context<S>) => void | Promise<void>;
}

@Module({})
class ServiceModule {}

const nestLog = (log: Logger): LoggerService => ({
  log: (message: unknown) => log.debug(String(message)),
  error: (message: unknown, ...rest: unknown[]) => log.error({ detail: rest.map(String) }, String(message)),
  warn: (message: unknown) => log.warn(String(message)),
  debug: (message: unknown) => log.debug(String(message)),
  verbose: (message: unknown) => log.trace(String(message)),
});

export interface RunningService {
  port: number;
  /** Says at once that it stops, and begins to drain after `goneBy`, when no balancer sends it anything any more. */
  stop(goneBy?: Promise<unknown>): Promise<void>;
}

/** Starts the service in this process and returns when it is ready. Tests use it too: several in one process. */
export async function startService<S extends ServiceSettings>(
  definition: ServiceDefinition<S>,
  settings: S,
  log: Logger,
): Promise<RunningService> {
  const metrics = new Metrics(definition.name);
  const broker = await connectNats({
    url: settings.natsUrl,
    user: settings.natsUser,
    password: settings.natsPassword,
    name: definition.name,
    inboxPrefix: `_INBOX_${definition.name}`,
    log: (level, message) => log[level](message),
  });
  const context: Context<S> = { settings, log, metrics, broker };
  const module: DynamicModule = {
    module: ServiceModule,
    providers: [
      { provide: Tokens.settings, useValue: settings },
      { provide: Tokens.log, useValue: log },
      { provide: Tokens.metrics, useValue: metrics },
      { provide: Tokens.broker, useValue: broker },
      ...definition.providers,
    ],
  };
  const fastify = typeof definition.fastify === 'function' ? definition.fastify(settings) : definition.fastify;
  const adapter = new FastifyAdapter({ logger: false, forceCloseConnections: 'idle', ...fastify } as never);
  const app = await NestFactory.create<NestFastifyApplication>(module, adapter, {
    logger: nestLog(log),
    bodyParser: false,
    abortOnError: false,
  });
  const parts = definition.parts.map((part) => app.get<Part>(part as never));
  const http = adapter.getInstance() as unknown as FastifyInstance;
  const life = { ready: false, draining: false };

  health(http, definition.name, metrics, broker, parts, life);
  await definition.routes?.(http, app, context);
  await app.init();

  const started: Part[] = [];
  const stop = async (goneBy?: Promise<unknown>): Promise<void> => {
    if (life.draining) return;
    life.draining = true;
    life.ready = false;
    await goneBy;
    for (const part of [...started].reverse()) await part.drain?.();
    await app.close();
    await broker.close();
  };
  try {
    for (const part of parts) {
      await part.start?.();
      started.push(part);
    }
    await http.listen({ host: settings.httpHost, port: settings.httpPort });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  life.ready = true;
  const address = http.server.address();
  const port = typeof address === 'object' && address ? address.port : settings.httpPort;
  log.info({ port }, 'ready');
  return { port, stop };
}

function health(
  http: FastifyInstance,
  service: string,
  metrics: Metrics,
  broker: NatsConnection,
  parts: Part[],
  life: { ready: boolean; draining: boolean },
): void {
  http.get('/healthz', () => ({ status: 'ok', service }));
  http.get('/readyz', async (_request, reply) => {
    const troubles: string[] = [];
    if (!life.ready) troubles.push(life.draining ? 'stopping' : 'starting');
    if (!(await isNatsConnected(broker))) troubles.push('the broker is away');
    for (const part of parts) {
      const trouble = await part.trouble?.();
      if (trouble) troubles.push(trouble);
    }
    return reply
      .code(troubles.length === 0 ? 200 : 503)
      .send({ status: troubles.length === 0 ? 'ready' : 'not ready', service, troubles });
  });
  http.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
}

/** The main of every app: runs until a signal says stop. */
export async function runService<S extends ServiceSettings>(definition: ServiceDefinition<S>): Promise<void> {
  let settings: S;
  try {
    settings = readSettings(definition.settings);
  } catch (error) {
    process.stderr.write(`${definition.name}: ${error instanceof SettingsError ? error.message : String(error)}\n`);
    process.exit(78); // EX_CONFIG
  }
  const log = createLog(definition.name, settings.logLevel);
  process.on('uncaughtException', (error) => {
    log.fatal({ err: error }, 'uncaught');
    process.exit(70);
  });
  process.on('unhandledRejection', (error) => {
    log.fatal({ err: error }, 'unhandled rejection');
    process.exit(70);
  });

  let running: RunningService | undefined;
  let stopping = false;
  const end = (why: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ why }, 'stopping');
    const delayMs = settings instanceof EdgeSettings ? settings.drainDelayMs : 0;
    const timer = setTimeout(
      () => {
        log.error('draining took too long');
        process.exit(1);
      },
      delayMs + settings.drainSeconds * 1000,
    );
    timer.unref();
    (running?.stop(pause(delayMs)) ?? Promise.resolve()).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'could not stop in order');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => end('SIGTERM'));
  process.on('SIGINT', () => end('SIGINT'));
  try {
    running = await startService(definition, settings, log);
  } catch (error) {
    log.fatal({ err: error }, 'could not start');
    process.exit(1);
  }
}
