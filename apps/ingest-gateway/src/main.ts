import { runService } from '@ams/service';
import { ingestGateway } from './service.js';

await runService(ingestGateway);
