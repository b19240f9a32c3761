import { Module } from '@nestjs/common';
import { SenderAlertsService } from './sender-alerts.service.js';
import { SendersController } from './senders.controller.js';

@Module({ controllers: [SendersController], providers: [SenderAlertsService] })
export class SendersModule {}
