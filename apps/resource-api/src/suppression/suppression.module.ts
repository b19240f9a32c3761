import { Module } from '@nestjs/common';
import { ExpiringWindows } from './expiring-windows.js';
import { SuppressionController } from './suppression.controller.js';
import { SuppressionService } from './suppression.service.js';

@Module({ controllers: [SuppressionController], providers: [SuppressionService, ExpiringWindows] })
export class SuppressionModule {}
