/**
 * Announces the operations of this service when their handlers are ready. From then on, the gateway routes requests to
 * them and the OpenAPI document contains them. Only operations with a handler are announced.
 */
import { announcementOf, operationsOf, type Owner } from '@ams/contracts';
import { keepAnnounced, Logger, NatsConnection, RpcServer, whenAvailable } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import { ServiceName } from './service-name.js';

@Injectable()
export class OperationsAnnouncer {
  constructor(
    private readonly name: ServiceName,
    private readonly nats: NatsConnection,
    private readonly server: RpcServer,
    private readonly log: Logger,
  ) {}

  /** Throws when an operation of this owner has no handler, or an operation of another owner has one. */
  async announce(): Promise<void> {
    const owner = this.name.value as Owner;
    const { operations } = this.server;
    const missing = operationsOf(owner).filter((owned) => !operations.some(({ id }) => id === owned.id));
    const foreign = operations.filter((operation) => operation.owner !== owner);
    if (missing.length > 0) throw new Error(`operations without a handler: ${missing.map(({ id }) => id).join(', ')}`);
    if (foreign.length > 0) throw new Error(`operations of another owner: ${foreign.map(({ id }) => id).join(', ')}`);
    if (operations.length === 0) return;
    await whenAvailable(this.log, () => keepAnnounced(this.nats, announcementOf(owner, operations), this.log));
  }
}
