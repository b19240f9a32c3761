import { DatabaseModule, HousekeepingModule } from '@ams/persistence';
import { Module } from '@nestjs/common';
import { AdmissionModule } from './admission/admission.module.js';
import { ApiKeysModule } from './api-keys/api-keys.module.js';
import { AuditLogModule } from './audit-log/audit-log.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { entities } from './entities.js';
import { MailRecipientsModule } from './mail-recipients/mail-recipients.module.js';
import { MembersModule } from './members/members.module.js';
import { OpenIdModule } from './openid/openid.module.js';
import { PasskeysModule } from './passkeys/passkeys.module.js';
import { SecondFactorsModule } from './second-factors/second-factors.module.js';
import { SignInModule } from './sign-in/sign-in.module.js';
import { ProfileModule } from './profile/profile.module.js';
import { SessionsModule } from './sessions/sessions.module.js';

@Module({
  imports: [
    DatabaseModule.forService('auth', entities),
    HousekeepingModule,
    AdmissionModule,
    ApiKeysModule,
    AuditLogModule,
    MembersModule,
    MailRecipientsModule,
    SecondFactorsModule,
    PasskeysModule,
    DevicesModule,
    OpenIdModule,
    SignInModule,
    SessionsModule,
    ProfileModule,
  ],
})
export class AuthModule {}
