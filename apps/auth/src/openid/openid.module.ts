import { Module } from '@nestjs/common';
import { SessionsModule } from '../sessions/sessions.module.js';
import { OpenIdController } from './openid.controller.js';
import { OpenIdProvider } from './openid-provider.js';
import { OpenIdSignInService } from './openid-sign-in.service.js';
import { TeamFollowers } from './team-followers.js';

@Module({
  imports: [SessionsModule],
  controllers: [OpenIdController],
  providers: [OpenIdSignInService, OpenIdProvider, TeamFollowers],
  exports: [OpenIdProvider],
})
export class OpenIdModule {}
