/**
 * Integrations that have the settings of an earlier version of their preset get those of the present one: see ADR 31.
 * It runs at start and every hour, in each replica, and finds nothing when all are upgraded. Each integration is
 * changed in a transaction of its own, in which its settings are compared again.
 */
import { auditSubject, newUuid, publicId, type AuditRecord } from '@ams/contracts';
import { addToOutbox, Database } from '@ams/database';
import { changedPresets, upgradedSettings } from '@ams/domain';
import { Logger } from '@ams/messaging';
import { Housekeeping, Outbox } from '@ams/persistence';
import { Injectable } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { changeRecord, keyOf } from '../records/entity-records.js';
import { auditedChanges } from '../records/record-audit.js';
import { projectionMessage } from './integration-projection.js';
import { integrations, mappingSettingsOf, tokensOf } from './integration-record.js';
import { IntegrationEntity } from './integration.entity.js';

const everyMs = 60 * 60 * 1000;
const pageSize = 500;

@Injectable()
export class PresetUpgrade {
  constructor(
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly log: Logger,
    private readonly housekeeping: Housekeeping,
  ) {
    housekeeping.add({ name: 'settings of presets', everyMs, run: () => this.upgradeAll() });
  }

  private async upgradeAll(): Promise<void> {
    let upgraded = 0;
    let after = '00000000-0000-0000-0000-000000000000';
    while (!this.housekeeping.isStopping) {
      const page = await this.integrationsAfter(after);
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
      for (const integration of page)
        if (upgradedSettings(mappingSettingsOf(integration)) !== null && (await this.upgrade(integration))) upgraded++;
    }
    if (upgraded === 0) return;
    this.outbox.publishNow();
    this.log.info({ integrations: upgraded }, 'integrations have the settings of the present presets');
  }

  /** In the order of their ids, of all tenants. */
  private integrationsAfter(id: string): Promise<IntegrationEntity[]> {
    const where = { id: MoreThan(id), type: In([...changedPresets]) };
    return this.database.asService((tx) =>
      tx.repository(IntegrationEntity).find({ where, order: { id: 'ASC' }, take: pageSize }),
    );
  }

  /** False when somebody has changed or upgraded it meanwhile. */
  private upgrade(integration: IntegrationEntity): Promise<boolean> {
    return this.database.asService(async (tx) => {
      const present = await tx
        .repository(IntegrationEntity)
        .findOne({ where: keyOf(integration), lock: { mode: 'pessimistic_write' } });
      const settings = present === null ? null : upgradedSettings(mappingSettingsOf(present));
      if (present === null || settings === null) return false;
      const { type: _type, ...columns } = settings;
      const at = new Date();
      await changeRecord(tx, integrations, present, { settings: columns }, at);
      const entry: AuditRecord = {
        id: newUuid(at.getTime()),
        organizationId: present.organizationId,
        environment: present.environment,
        type: 'integration.updated',
        occurredAt: at.toISOString(),
        actor: { type: 'service', id: null, name: 'preset upgrade' },
        ip: null,
        userAgent: null,
        requestId: null,
        resource: { type: 'integration', id: publicId('integration', present.id) },
        changes: auditedChanges(present.settings, columns, ['handshakeWhen']),
      };
      await addToOutbox(tx, 'resource-api', [
        projectionMessage(tokensOf(present)),
        { subject: auditSubject, messageId: entry.id, payload: entry },
      ]);
      return true;
    });
  }
}
