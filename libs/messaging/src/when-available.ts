/** Work that a service needs to start. It waits while NATS or the database is unavailable. */
import { JetStreamApiError } from '@nats-io/jetstream';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from './logger.js';
import { asFault } from './rpc/as-fault.js';
import { BrokerIncomplete } from './streams.js';

const retryMs = 1000;

/** A cluster has not enough servers (10005) or no leader (10008) at the moment. Other errors need an operator. */
const isWithoutServers = (error: unknown): boolean =>
  error instanceof JetStreamApiError && [10005, 10008].includes(error.apiError().err_code);

export async function whenAvailable<T>(log: Logger, work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (error instanceof BrokerIncomplete) {
        log.warn({}, `${error.message}; the service waits for it`);
        await pause(retryMs);
        continue;
      }
      if (asFault(error, '').code !== 'UNAVAILABLE' && !isWithoutServers(error)) throw error;
      log.warn({ err: error }, 'NATS or the database is unavailable; the service waits for it');
      await pause(retryMs);
    }
  }
}
