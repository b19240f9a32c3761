/** A service with tables on a real PostgreSQL and NATS, with the modules of this library and one provider of the test. */
import { brokerDefaults, connectNats, keepBroker, type NatsConnection } from '@ams/messaging';
import { createLogger, DatabaseSettings, startService, type RunningService } from '@ams/service';
import { createTestDatabase, startTestNats, type MigratedDatabase, type TestNats } from '@ams/testing';
import { Module, type Type } from '@nestjs/common';
import { DatabaseModule, HousekeepingModule, OutboxModule } from '../src/index.js';

export interface TestService {
  service: RunningService;
  database: MigratedDatabase;
  nats: TestNats;
  connection: NatsConnection;
  stop(): Promise<void>;
}

export async function startTestService(provider: Type): Promise<TestService> {
  @Module({
    imports: [
      DatabaseModule.forService('resource-api'),
      OutboxModule.forService({ isBatched: (subject) => subject.startsWith('evt.alert.') }),
      HousekeepingModule,
    ],
    providers: [provider],
  })
  class TestModule {}

  const [database, nats] = await Promise.all([createTestDatabase(), startTestNats()]);
  const connection = await connectNats({ url: nats.url, name: 'test' });
  await keepBroker(connection, brokerDefaults, { everyMs: 1000 });
  const settings = Object.assign(new DatabaseSettings(), {
    httpHost: '127.0.0.1',
    httpPort: 0,
    natsUrl: nats.url,
    databaseUrl: database.urls['resource-api'],
    databasePool: 4,
  });
  const log = createLogger('persistence', 'silent');
  // The notifier owns no operations, so none has to be handled here.
  const service = await startService(
    { name: 'notifier', settings: DatabaseSettings, module: TestModule },
    settings,
    log,
  );
  return {
    service,
    database,
    nats,
    connection,
    async stop() {
      await service.stop();
      await connection.close();
      await nats.stop();
      await database.drop();
    },
  };
}
