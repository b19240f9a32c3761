/** The service: API keys, admission of requests, the audit log. */
import { type Service } from '@ams/service';
import { AuthModule } from './app.module.js';
import { AuthSettings } from './settings.js';

export const auth: Service<AuthSettings> = { name: 'auth', settings: AuthSettings, module: AuthModule };
