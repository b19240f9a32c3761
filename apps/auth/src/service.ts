/** The service: keys, admission, audit log. */
import { announcementOf, createApiKey, listApiKeys, listAuditLog, operationsOf, revokeApiKey } from '@ams/contracts';
import { Database } from '@ams/database';
import { asFault, keepAnnounced, Subscriptions, type NatsConnection } from '@ams/messaging';
import { Tokens, type Logger, type Part, type ServiceDefinition } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { Admission } from './admission.js';
import { ApiKeys } from './api-keys.js';
import { AuditIntake } from './audit-intake.js';
import { AuditLog } from './audit-log.js';
import { Maintenance } from './maintenance.js';
import { AuthSettings } from './settings.js';

/** Waits for the database as long as it is away; any other trouble with it is an error. */
async function openDatabase(settings: AuthSettings, log: Logger): Promise<Database> {
  for (;;) {
    try {
      return await Database.open({ service: 'auth', url: settings.databaseUrl, poolSize: settings.databasePool, log });
    } catch (error) {
      if (asFault(error, '').code !== 'UNAVAILABLE') throw error;
      log.warn({ err: error }, 'the database is away; waiting for it');
      await pause(1000);
    }
  }
}

/** The first to start and the last to end. */
@Injectable()
class DatabaseLife implements Part {
  constructor(@Inject(Database) private readonly database: Database) {}

  drain(): Promise<void> {
    return this.database.close();
  }

  async trouble(): Promise<string | null> {
    return (await this.database.answers()) ? null : 'the database is away';
  }
}

/** The operations of the v1 API that are answered here. */
@Injectable()
class Operations implements Part {
  private readonly subscriptions: Subscriptions;

  constructor(
    @Inject(Tokens.broker) private readonly broker: NatsConnection,
    @Inject(Tokens.settings) private readonly settings: AuthSettings,
    @Inject(Tokens.log) private readonly log: Logger,
    @Inject(ApiKeys) private readonly apiKeys: ApiKeys,
    @Inject(AuditLog) private readonly auditLog: AuditLog,
  ) {
    this.subscriptions = new Subscriptions(broker, 'auth', log);
  }

  async start(): Promise<void> {
    this.subscriptions.handle(listApiKeys, (input) => this.apiKeys.list(input));
    this.subscriptions.handle(createApiKey, (input) => this.apiKeys.create(input));
    this.subscriptions.handle(revokeApiKey, (input) => this.apiKeys.revoke(input));
    this.subscriptions.handle(listAuditLog, (input) => this.auditLog.list(input));
    await keepAnnounced(
      this.broker,
      { replicas: this.settings.natsReplicas },
      announcementOf('auth', operationsOf('auth')),
      this.log,
    );
  }

  drain(): Promise<void> {
    return this.subscriptions.drain();
  }
}

export const auth: ServiceDefinition<AuthSettings> = {
  name: 'auth',
  settings: AuthSettings,
  providers: [
    { provide: Database, useFactory: openDatabase, inject: [Tokens.settings, Tokens.log] },
    DatabaseLife,
    ApiKeys,
    AuditLog,
    AuditIntake,
    Admission,
    Operations,
    Maintenance,
  ],
  parts: [DatabaseLife, AuditIntake, Admission, Operations, Maintenance],
};
