import { runService } from '@ams/service';
import { auth } from './service.js';

await runService(auth);
