import { runLegacyService } from '@ams/service';
import { workflowEngine } from './service.js';

await runLegacyService(workflowEngine);
