/**
 * Announces the operations that this service handles, when they can be called: the gateway routes them from then on, and
 * the OpenAPI document shows them. What is announced is what has a handler.
 */
import { announcementOf, operationsOf, type Owner } from '@ams/contracts';
import { keepAnnounced, Logger, NatsConnection, RpcServer } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import { ServiceSettings } from '../settings.js';
import { ServiceName } from './service-name.js';

@Injectable()
export class OperationsAnnouncer {
  constructor(
    private readonly name: ServiceName,
    private readonly settings: ServiceSettings,
    private readonly nats: NatsConnection,
    private readonly server: RpcServer,
    private readonly log: Logger,
  ) {}

  /** Throws when an operation of this owner has no handler, or one of another owner has. */
  async announce(): Promise<void> {
    const handled = new Set(this.server.operations.map(({ id }) => id));
    const owned = operationsOf(this.name.value as Owner);
    const missing = owned.filter(({ id }) => !handled.has(id)).map(({ id }) => id);
    const foreign = [...handled].filter((id) => !owned.some((operation) => operation.id === id));
    if (missing.length > 0) throw new Error(`operations without a handler: ${missing.join(', ')}`);
    if (foreign.length > 0) throw new Error(`handlers of operations of another owner: ${foreign.join(', ')}`);
    if (owned.length === 0) return;
    const { natsReplicas: replicas } = this.settings;
    await keepAnnounced(this.nats, { replicas }, announcementOf(this.name.value as Owner, owned), this.log);
  }
}
