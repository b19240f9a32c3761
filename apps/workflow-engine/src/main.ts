import { runService } from '@ams/service';
import { workflowEngine } from './service.js';

await runService(workflowEngine);
