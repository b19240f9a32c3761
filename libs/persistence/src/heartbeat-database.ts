/**
 * One connection for heartbeats and leases, apart from the pool of the service: a heartbeat must not wait for the work
 * that it watches, nor fail with it. Its user closes it.
 */
import type { Database, DatabaseService } from '@ams/database';
import { DatabaseSettings, Logger } from '@ams/service';
import type { FactoryProvider } from '@nestjs/common';
import { openDatabase } from './database.module.js';

export type HeartbeatDatabase = Database;
export const HeartbeatDatabase = class HeartbeatDatabase {} as unknown as abstract new () => Database;

/** `timeoutMs`: shorter than the time after which a missing heartbeat matters. */
export const heartbeatDatabase = <Settings extends DatabaseSettings>(
  service: DatabaseService,
  settings: new () => Settings,
  timeoutMs: (settings: Settings) => number,
): FactoryProvider<Database> => ({
  provide: HeartbeatDatabase,
  useFactory: (values: Settings, log: Logger) =>
    openDatabase(values, log, {
      service,
      poolSize: 1,
      timeoutMs: Math.min(values.databaseTimeoutMs, timeoutMs(values)),
    }),
  inject: [settings, Logger],
});
