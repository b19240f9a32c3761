import { runLegacyService } from '@ams/service';
import { ingestGateway } from './service.js';

await runLegacyService(ingestGateway());
