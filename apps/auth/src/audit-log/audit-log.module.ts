import { Database } from '@ams/database';
import { ageOfFirst, Housekeeping, Retention } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AuthSettings } from '../settings.js';
import { AuditChainWriter } from './audit-chain-writer.js';
import { AuditIntake } from './audit-intake.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';
import { deleteOldEntries } from './audit-retention.js';
import { AuditSyslog } from './audit-syslog.js';
import { AuditWriters } from './audit-writers.js';

@Module({
  controllers: [AuditLogController],
  providers: [AuditLogService, AuditWriters, AuditIntake, AuditChainWriter, AuditSyslog],
})
export class AuditLogModule {
  constructor(
    housekeeping: Housekeeping,
    retention: Retention,
    database: Database,
    { auditDays: days, auditSigningKeysFile }: AuthSettings,
  ) {
    housekeeping.keepPartitions(['auth.audit_log']);
    const isSigned = auditSigningKeysFile !== undefined;
    const isStopping = (): boolean => housekeeping.isStopping;
    retention.addMonths('audit entries', ageOfFirst('auth.audit_log', 'occurred_at'), async () =>
      days === undefined ? 0 : ((await deleteOldEntries(database, { days, isSigned, isStopping })) ?? 0),
    );
  }
}
