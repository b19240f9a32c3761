import { Module } from '@nestjs/common';
import { SecondFactorsModule } from '../second-factors/second-factors.module.js';
import { PasskeysController } from './passkeys.controller.js';
import { PasskeysService } from './passkeys.service.js';
import { RelyingPartySettings } from './relying-party-settings.js';

@Module({
  imports: [SecondFactorsModule],
  controllers: [PasskeysController],
  providers: [PasskeysService, RelyingPartySettings],
  exports: [RelyingPartySettings],
})
export class PasskeysModule {}
