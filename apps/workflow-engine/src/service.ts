import type { Service } from '@ams/service';
import { WorkflowEngineModule } from './app.module.js';
import { WorkflowEngineSettings } from './settings.js';

export const workflowEngine: Service<WorkflowEngineSettings> = {
  name: 'workflow-engine',
  settings: WorkflowEngineSettings,
  module: WorkflowEngineModule,
};
