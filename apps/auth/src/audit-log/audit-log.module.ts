import { Database } from '@ams/database';
import { Housekeeping } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AuthSettings } from '../settings.js';
import { AuditChainWriter } from './audit-chain-writer.js';
import { AuditIntake } from './audit-intake.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';
import { deleteOldEntries } from './audit-retention.js';
import { AuditSyslog } from './audit-syslog.js';
import { AuditWriters } from './audit-writers.js';

const hourMs = 3_600_000;

@Module({
  controllers: [AuditLogController],
  providers: [AuditLogService, AuditWriters, AuditIntake, AuditChainWriter, AuditSyslog],
})
export class AuditLogModule {
  constructor(housekeeping: Housekeeping, database: Database, settings: AuthSettings) {
    housekeeping.keepPartitions(['auth.audit_log']);
    const { auditDays: days, auditSigningKeysFile } = settings;
    if (days === undefined) return;
    const isSigned = auditSigningKeysFile !== undefined;
    const isStopping = (): boolean => housekeeping.isStopping;
    housekeeping.add({
      name: 'old audit entries',
      everyMs: hourMs,
      run: () => deleteOldEntries(database, { days, isSigned, isStopping }),
    });
  }
}
