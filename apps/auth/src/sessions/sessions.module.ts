import { Module } from '@nestjs/common';
import { AccountToolsModule } from '../accounts/account-tools.module.js';
import { InvitationsController } from '../accounts/invitations.controller.js';
import { InvitationsService } from '../accounts/invitations.service.js';
import { PasswordSignInService } from './password-sign-in.service.js';
import { SessionsController } from './sessions.controller.js';
import { SessionsService } from './sessions.service.js';
import { SignIns } from './sign-ins.js';

@Module({
  imports: [AccountToolsModule],
  controllers: [SessionsController, InvitationsController],
  providers: [SessionsService, PasswordSignInService, SignIns, InvitationsService],
  exports: [SignIns, PasswordSignInService],
})
export class SessionsModule {}
