import { runLegacyService } from '@ams/service';
import { resourceApi } from './service.js';

await runLegacyService(resourceApi);
