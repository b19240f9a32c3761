import { Module } from '@nestjs/common';
import { IntegrationsController } from './integrations.controller.js';
import { IntegrationProjection } from './integration-projection.js';
import { IntegrationsService } from './integrations.service.js';
import { PresetUpgrade } from './preset-upgrade.js';
import { ReplayService } from './replay.service.js';

@Module({
  controllers: [IntegrationsController],
  providers: [IntegrationProjection, IntegrationsService, PresetUpgrade, ReplayService],
})
export class IntegrationsModule {}
