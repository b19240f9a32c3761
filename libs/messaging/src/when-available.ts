/** Work that a service needs to start: it waits while NATS or the database is unavailable, as a service that runs does. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logger.js';
import { asFault } from './rpc/as-fault.js';

const retryMs = 1000;

/** A cluster has no leader or not enough servers at the moment: status 503, or 10005, which has the status 400. */
const isWithoutServers = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.apiError().code === 503 || error.apiError().err_code === 10005);

export async function whenAvailable<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (asFault(error, '').code !== 'UNAVAILABLE' && !isWithoutServers(error)) throw error;
      log.warn({ err: error }, 'NATS or the database is unavailable; the service waits for it');
      await pause(retryMs);
    }
  }
}
