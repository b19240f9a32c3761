import {
  exportAuditLog,
  listAuditLog,
  type AuditChainLine,
  type AuditEntry,
  type ExportAuditLogQuery,
  type Input,
  type ListAuditLogQuery,
  type Page,
} from '@ams/contracts';
import { Handles } from '@ams/messaging';
import { Controller } from '@nestjs/common';
import { AuditLogService } from './audit-log.service.js';

@Controller()
export class AuditLogController {
  constructor(private readonly auditLog: AuditLogService) {}

  @Handles(listAuditLog)
  list(input: Input<ListAuditLogQuery, undefined>): Promise<Page<AuditEntry>> {
    return this.auditLog.list(input);
  }

  @Handles(exportAuditLog)
  export(input: Input<ExportAuditLogQuery, undefined>): Promise<Page<AuditChainLine>> {
    return this.auditLog.export(input);
  }
}
