/**
 * What every request carries besides its input. The environment is part of the address (`?env=test`), and the CSRF
 * token part of the session: both are set where these are read, before a page loads its data.
 */
import type { Environment } from '@ams/scopes';

let environment: Environment = 'live';
let token = '';

export const currentEnvironment = (): Environment => environment;
export const setEnvironment = (next: Environment): void => void (environment = next);

export const csrfToken = (): string => token;
export const setCsrfToken = (next: string): void => void (token = next);
