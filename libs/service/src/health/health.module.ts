import { faultOfServer, isNatsConnected, NatsConnection } from '@ams/messaging';
import { Global, Module } from '@nestjs/common';
import { TerminusModule } from '@nestjs/terminus';
import { HealthController } from './health.controller.js';
import { Liveness } from './liveness.js';
import { Readiness } from './readiness.js';

@Global()
@Module({
  imports: [TerminusModule.forRoot({ logger: false })],
  controllers: [HealthController],
  providers: [Readiness, Liveness],
  exports: [Readiness, Liveness],
})
export class HealthModule {
  constructor(readiness: Readiness, nats: NatsConnection) {
    readiness.add('nats', async () => ((await isNatsConnected(nats)) ? faultOfServer(nats) : 'NATS disconnected'));
  }
}
