/** `resources.seal`: the engine stores the address of a test message, which resource-api seals for it. */
import type { Tenant } from '../principal.js';
import type { Destination } from './notifier.js';
import { serviceRequest } from './service-request.js';

export interface SealAddressRequest extends Tenant {
  /** The public id of the notification: see `sealedFor` of a destination. */
  record: string;
  destination: Destination;
}

export const sealAddressRequest = serviceRequest<SealAddressRequest, { destination: Destination }>(
  'cmd.resources.seal',
);
