import { Module } from '@nestjs/common';
import { EventStore } from './event-store.js';
import { Idempotency } from './idempotency.js';
import { Publisher } from './publisher.js';
import { RequestLog } from './request-log.js';
import { Streams } from './streams.js';

/** All providers that write to JetStream. They stop after the module that imports this one. */
@Module({
  providers: [Publisher, Streams, EventStore, Idempotency, RequestLog],
  exports: [Publisher, Streams, EventStore, Idempotency, RequestLog],
})
export class PublishingModule {}
