/** Tells the gateway which operations the pipeline answers; once they are being served. */
import { announcementOf, operationsOf } from '@ams/contracts';
import { keepAnnounced, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import type { PipelineSettings } from './settings.js';

@Injectable()
export class AnnouncementPart implements Part {
  constructor(
    @Inject(Tokens.settings) private readonly settings: PipelineSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
  ) {}

  async start(): Promise<void> {
    await keepAnnounced(
      this.broker,
      { replicas: this.settings.natsReplicas },
      announcementOf('alert-pipeline', operationsOf('alert-pipeline')),
      this.log,
    );
  }
}
