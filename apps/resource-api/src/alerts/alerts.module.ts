import { Module } from '@nestjs/common';
import { AlertCounts } from './alert-counts.js';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';

@Module({ controllers: [AlertsController], providers: [AlertsService, AlertCounts], exports: [AlertsService] })
export class AlertsModule {}
