import type { BulkAction } from './bulk.js';

/** Whether the change would do anything. */
export const mayChange = (action: BulkAction, { status }: { status: string }): boolean =>
  status !== 'resolved' && (action === 'resolve' || status !== 'acknowledged');
