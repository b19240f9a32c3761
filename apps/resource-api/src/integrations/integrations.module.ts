import { Module } from '@nestjs/common';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationProjection } from './integration-projection.js';
import { IntegrationsService } from './integrations.service.js';
import { ReplayService } from './replay.service.js';

@Module({
  controllers: [IntegrationsController],
  providers: [IntegrationProjection, IntegrationsService, ReplayService],
})
export class IntegrationsModule {}
