import { runService } from '@ams/service';
import { resourceApi } from './service.js';

await runService(resourceApi);
