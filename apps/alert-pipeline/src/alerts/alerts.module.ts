import { Module } from '@nestjs/common';
import { AlertsController } from './alerts.controller.js';
import { AlertsService } from './alerts.service.js';
import { BulkJobs } from './bulk-jobs.js';
import { BulkTurns } from './bulk-turns.js';

@Module({ controllers: [AlertsController], providers: [AlertsService, BulkJobs, BulkTurns] })
export class AlertsModule {}
