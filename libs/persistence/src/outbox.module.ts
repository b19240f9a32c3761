import { Module, type DynamicModule } from '@nestjs/common';
import { Outbox } from './outbox.js';
import { OutboxOptions } from './outbox-options.js';

export interface OutboxModuleOptions {
  isBatched?: (subject: string) => boolean;
  paceMs?: number;
  hasDomainEvents?: boolean;
}

@Module({})
export class OutboxModule {
  /** Global: all feature modules share the one outbox of the service. */
  static forService({
    isBatched = () => false,
    paceMs = 0,
    hasDomainEvents = false,
  }: OutboxModuleOptions = {}): DynamicModule {
    return {
      module: OutboxModule,
      global: true,
      providers: [{ provide: OutboxOptions, useValue: new OutboxOptions(isBatched, paceMs, hasDomainEvents) }, Outbox],
      exports: [Outbox],
    };
  }
}
