import { runLegacyService } from '@ams/service';
import { notifier } from './service.js';

await runLegacyService(notifier());
