import type { Service } from '@ams/service';
import { AlertPipelineModule } from './app.module.js';
import { PipelineSettings } from './settings.js';

export const alertPipeline: Service<PipelineSettings> = {
  name: 'alert-pipeline',
  settings: PipelineSettings,
  module: AlertPipelineModule,
};
