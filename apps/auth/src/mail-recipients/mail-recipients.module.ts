import { Module } from '@nestjs/common';
import { AccountToolsModule } from '../accounts/account-tools.module.js';
import { MailRecipientsController } from './mail-recipients.controller.js';
import { MailRecipientsService } from './mail-recipients.service.js';

@Module({
  imports: [AccountToolsModule],
  controllers: [MailRecipientsController],
  providers: [MailRecipientsService],
})
export class MailRecipientsModule {}
