import { faultOfServer, isNatsConnected, NatsConnection } from '@ams/messaging';
import { Global, Module, type DynamicModule } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';
import { StatusReporter } from './status-reporter.js';

@Global()
@Module({})
export class HealthModule {
  /** `isPublic`: strangers reach the HTTP port, so the pages are not on it. */
  static forService(isPublic: boolean): DynamicModule {
    return {
      module: HealthModule,
      imports: [TerminusModule.forRoot({ logger: false })],
      controllers: isPublic ? [] : [HealthController],
      providers: [Readiness, Liveness, StatusReporter, ...(isPublic ? [HealthController] : [])],
      exports: [Readiness, Liveness],
    };
  }

  constructor(readiness: Readiness, nats: NatsConnection) {
    readiness.add('nats', async () => ((await isNatsConnected(nats)) ? faultOfServer(nats) : 'NATS disconnected'));
  }
}
