import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs/jobs.module.js';
import { Devices } from './devices.js';
import { NotificationSender } from './notification-sender.js';
import { NotifierClient } from './notifier-client.js';
import { NotificationsController } from './notifications.controller.js';
import { NotificationsService } from './notifications.service.js';
import { RefusedAddresses } from './refused-addresses.js';

@Module({
  imports: [JobsModule],
  controllers: [NotificationsController],
  providers: [NotificationsService, NotificationSender, NotifierClient, Devices, RefusedAddresses],
})
export class NotificationsModule {}
