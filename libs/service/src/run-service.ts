/**
 * The life cycle of a service:
 *
 *   start:  settings -> NATS -> the modules (onModuleInit, onApplicationBootstrap) -> message handlers
 *           -> HTTP, of a gateway health and metrics first -> ready
 *   stop:   not ready -> DRAIN_DELAY_MS for HTTP services, until the load balancer stops sending
 *           -> message handlers drain -> the modules drain (beforeApplicationShutdown, the importing module first)
 *           -> HTTP -> database and NATS close (onApplicationShutdown) -> traces -> exit 0
 *
 * A second signal, or a drain that takes longer than DRAIN_SECONDS, ends the process immediately.
 */
import 'reflect-metadata';
import { RpcServer, type Logger } from '@ams/messaging';
import { Module, type DynamicModule, type LoggerService, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyServerOptions } from 'fastify';
import { setTimeout as pause } from 'node:timers/promises';
import { withoutSchemas } from './fastify-schemas.js';
import { HealthModule } from './health/health.module.js';
import { serveManagement, type Management } from './health/management.js';
import { Readiness } from './health/readiness.js';
import { createLogger } from './log.js';
import { giveBackMemoryOfStart } from './memory-of-start.js';
import { OperationsAnnouncer } from './platform/operations-announcer.js';
import { PlatformModule } from './platform/platform.module.js';
import { Metrics } from './metrics.js';
import { collectorOf, EdgeSettings, readSettings, SettingsError, type ServiceSettings } from './settings.js';
import { startTraces } from './traces.js';

export interface Service<S extends ServiceSettings> {
  name: string;
  settings: new () => S;
  /** The root module of the service. What it injects of the platform is in `PlatformModule`. */
  module: Type | DynamicModule;
  /** Options of the HTTP server. */
  fastify?: (settings: S) => FastifyServerOptions;
  /** Registers the Fastify plugins and routes of an edge service (its hot paths). */
  http?: (fastify: FastifyInstance, app: NestFastifyApplication) => void | Promise<void>;
}

export interface RunningService {
  port: number;
  /** The port of health and metrics. That of a gateway is another one than `port`. */
  managementPort: number;
  /** Answers 503 on /readyz immediately, and drains after `delay`, when the load balancer sends no more requests. */
  stop(delay?: Promise<unknown>): Promise<void>;
}

/** How long a stopping service exports traces, in milliseconds. */
const mostFlushMs = 3000;

@Module({})
class RootModule {}

/** Nest's own messages, at the level debug: operators do not need them. */
const nestLogger = (log: Logger): LoggerService => ({
  log: (message: unknown) => log.debug({}, String(message)),
  error: (message: unknown, ...rest: unknown[]) => log.error({ detail: rest.map(String) }, String(message)),
  warn: (message: unknown) => log.warn({}, String(message)),
  debug: (message: unknown) => log.debug({}, String(message)),
  verbose: (message: unknown) => log.trace({}, String(message)),
});

/** Starts the service in this process and returns when it is ready. Tests start several in one process. */
export async function startService<S extends ServiceSettings>(
  service: Service<S>,
  settings: S,
  log: Logger,
): Promise<RunningService> {
  const root = {
    module: RootModule,
    imports: [
      PlatformModule.forService(service.name, settings, log),
      HealthModule.forService(settings instanceof EdgeSettings),
      service.module,
    ],
  };
  const options = { logger: false, forceCloseConnections: 'idle', ...withoutSchemas, ...service.fastify?.(settings) };
  const adapter = new FastifyAdapter(options as never);
  const app = await NestFactory.create<NestFastifyApplication>(root, adapter, {
    logger: nestLogger(log),
    bodyParser: false,
    abortOnError: false,
  });
  const fastify = adapter.getInstance() as unknown as FastifyInstance;
  const traces = await startTraces(service.name, settings, app.get(Metrics), log);
  const server = app.get(RpcServer);
  const readiness = app.get(Readiness);

  let management: Management | undefined;
  let stopping: Promise<void> | undefined;
  const stop = (delay?: Promise<unknown>): Promise<void> => {
    stopping ??= (async () => {
      readiness.stopping();
      await delay;
      // Some of the time is left for what follows.
      const drainEnds = performance.now() + settings.drainSeconds * 1000 - 500;
      await server.drain();
      await app.close();
      await management?.close();
      await traces?.stop(Math.min(mostFlushMs, drainEnds - performance.now()));
    })();
    return stopping;
  };
  try {
    await service.http?.(fastify, app);
    app.connectMicroservice({ strategy: server }, { inheritAppConfig: true });
    await app.init();
    await app.startAllMicroservices();
    await app.get(OperationsAnnouncer).announce();
    if (settings instanceof EdgeSettings) management = await serveManagement(app, settings);
    await app.listen({ host: settings.httpHost, port: settings.httpPort });
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
  readiness.started();
  const address = fastify.server.address();
  const port = typeof address === 'object' && address ? address.port : settings.httpPort;
  const managementPort = management?.port ?? port;
  log.info({ port, managementPort }, 'ready');
  return { port, managementPort, stop };
}

/** The entry point of every service: runs until a signal stops it. */
export async function runService<S extends ServiceSettings>(service: Service<S>): Promise<void> {
  const settings = settingsOrExit(service);
  const log = createLogger(service.name, settings.logLevel, process.stdout, { traced: collectorOf(settings) !== null });
  const exitWith = (error: unknown, message: string): void => {
    log.fatal({ err: error }, message);
    process.exit(70);
  };
  process.on('uncaughtException', (error) => exitWith(error, 'uncaught exception'));
  process.on('unhandledRejection', (error) => exitWith(error, 'unhandled rejection'));

  let running: RunningService | undefined;
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, 'stopping');
    const delayMs = settings instanceof EdgeSettings ? settings.drainDelayMs : 0;
    const timer = setTimeout(
      () => {
        log.error({ drainSeconds: settings.drainSeconds }, 'draining exceeded the time limit');
        process.exit(1);
      },
      delayMs + settings.drainSeconds * 1000,
    );
    timer.unref();
    (running?.stop(pause(delayMs)) ?? Promise.resolve()).then(
      () => process.exit(0),
      (error: unknown) => {
        log.error({ err: error }, 'the shutdown failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  try {
    running = await startService(service, settings, log);
    giveBackMemoryOfStart((error, ms) =>
      error
        ? log.warn({ err: error }, 'the memory of the start was not given back')
        : log.debug({ ms: Math.round(ms) }, 'the memory of the start was given back'),
    );
  } catch (error) {
    log.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  }
}

/** Invalid settings end the process with 78, EX_CONFIG of sysexits.h. */
function settingsOrExit<S extends ServiceSettings>({ name, settings }: Service<S>): S {
  try {
    return readSettings(settings);
  } catch (error) {
    process.stderr.write(`${name}: ${error instanceof SettingsError ? error.message : String(error)}\n`);
    process.exit(78);
  }
}
