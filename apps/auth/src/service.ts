/** This service owns API keys, members, accounts and sessions, the admission of requests and the audit log. */
import { type Service } from '@ams/service';
import { AuthModule } from './app.module.js';
import { AuthSettings } from './settings.js';

export const auth: Service<AuthSettings> = { name: 'auth', settings: AuthSettings, module: AuthModule };
