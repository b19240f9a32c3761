import { runService } from '@ams/service';
import { apiGateway } from './service.js';

await runService(apiGateway());
