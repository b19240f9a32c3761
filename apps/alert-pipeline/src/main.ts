import { runLegacyService } from '@ams/service';
import { alertPipeline } from './service.js';

await runLegacyService(alertPipeline);
