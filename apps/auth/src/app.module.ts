import { DatabaseModule, HousekeepingModule } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AdmissionModule } from './admission/admission.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { entities } from './entities.js';
import { MembersModule } from './members/members.module.js';

@Module({
  imports: [
    DatabaseModule.forService('auth', entities),
    HousekeepingModule,
    AdmissionModule,
    ApiKeysModule,
    AuditLogModule,
    MembersModule,
  ],
})
export class AuthModule {}
