/** The database of a service: `Database` is injected by type. It opens before its users, and closes after them. */
import { Database, type DatabaseOptions, type DatabaseService } from '@ams/database';
import { TlsError, tlsFaultOf, whenAvailable } from '@ams/messaging';
import { DatabaseSettings, databaseTls, Logger, Metrics, Readiness } from '@ams/service';
import { Module, type DynamicModule, type OnApplicationShutdown } from '@nestjs/common';

/** The connections that are open before the first caller is answered. */
const openAtStart = 4;

/** Opens a pool of connections; waits while the database is unreachable. `poolSize` replaces that of the settings. */
export async function openDatabase(
  settings: DatabaseSettings,
  log: Logger,
  options: Pick<DatabaseOptions, 'service' | 'entities'> & Partial<DatabaseOptions>,
): Promise<Database> {
  const { databaseUrl: url, databasePool: poolSize, databaseTimeoutMs: timeoutMs } = settings;
  const { databaseConnectTimeoutMs: connectTimeoutMs } = settings;
  const tls = databaseTls(settings);
  return whenAvailable(log, async () => {
    const all = { url, tls, poolSize, timeoutMs, connectTimeoutMs, log, ...options };
    const database = await Database.open(all).catch(withoutTls);
    try {
      await database.openConnections(Math.min(openAtStart, all.poolSize));
    } catch (error) {
      await database.close();
      throw error;
    }
    return database;
  });
}

function withoutTls(error: unknown): never {
  const fault = tlsFaultOf(error);
  throw fault === null ? error : new TlsError('PostgreSQL', 'DATABASE', fault, error);
}

@Module({})
export class DatabaseModule implements OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    readiness: Readiness,
  ) {
    readiness.add('database', async () => ((await database.answers()) ? null : 'the database does not respond'));
  }

  /** `entities`: those of this service. */
  static forService(service: DatabaseService, entities: (new () => object)[] = []): DynamicModule {
    const open = async (settings: DatabaseSettings, log: Logger, metrics: Metrics): Promise<Database> => {
      const timeOuts = metrics.counter(
        'ams_database_connect_timeouts_total',
        'How often a statement or a transaction got no database connection in time.',
      );
      const database = await openDatabase(settings, log, { service, entities, connectTimedOut: () => timeOuts.inc() });
      metrics.gauge(
        'ams_database_background_waiting',
        'Work for organizations in the background that waits for a connection: any, one of the few that an ' +
          'organization has beside others, or the fewer ones of an organization with much work while the database is ' +
          'slow.',
        ['place'],
        (gauge) => {
          for (const [place, count] of Object.entries(database.waiting)) gauge.set({ place }, count);
        },
      );
      return database;
    };
    const provider = { provide: Database, useFactory: open, inject: [DatabaseSettings, Logger, Metrics] };
    return { module: DatabaseModule, global: true, providers: [provider], exports: [Database] };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.database.close();
  }
}
