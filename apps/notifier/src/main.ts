import { runService } from '@ams/service';
import { notifier } from './service.js';

await runService(notifier);
