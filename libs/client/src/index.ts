export { createAlertClient, type AlertClient, type AlertClientOptions } from './client.js';
export { pages, type ListPath, type PageAnswer } from './pages.js';
export type { components, operations, paths } from './schema.js';
