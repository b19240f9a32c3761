/** The database as a part of the service: opened first, closed last. */
import { Database } from '@ams/database';
import { Tokens, type Logger, type Part } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import type { ResourceApiSettings } from './settings.js';

@Injectable()
export class DatabasePart implements Part {
  private opened: Database | null = null;

  constructor(
    @Inject(Tokens.settings) private readonly settings: ResourceApiSettings,
    @Inject(Tokens.log) private readonly log: Logger,
  ) {}

  get database(): Database {
    if (!this.opened) throw new Error('the database is not open');
    return this.opened;
  }

  async start(): Promise<void> {
    this.opened = await Database.open({
      service: 'resource-api',
      url: this.settings.databaseUrl,
      poolSize: this.settings.databasePool,
      log: this.log,
    });
  }

  async trouble(): Promise<string | null> {
    return this.opened && (await this.opened.answers()) ? null : 'the database is away';
  }

  async drain(): Promise<void> {
    await this.opened?.close();
  }
}
