import { runLegacyService } from '@ams/service';
import { auth } from './service.js';

await runLegacyService(auth);
