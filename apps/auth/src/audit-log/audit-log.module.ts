import { Housekeeping } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AuditIntake } from './audit-intake.js';
import { AuditLogController } from './audit-log.controller.js';
import { AuditLogService } from './audit-log.service.js';

@Module({ controllers: [AuditLogController], providers: [AuditLogService, AuditIntake] })
export class AuditLogModule {
  constructor(housekeeping: Housekeeping) {
    housekeeping.keepPartitions(['auth.audit_log']);
  }
}
