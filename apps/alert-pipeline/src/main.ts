import { runService } from '@ams/service';
import { alertPipeline } from './service.js';

await runService(alertPipeline);
