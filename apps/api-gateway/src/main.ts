import { runLegacyService } from '@ams/service';
import { apiGateway } from './service.js';

await runLegacyService(apiGateway());
