/** The workflow engine tells auth that the push service does not know a device any more. */
import type { Environment } from '@ams/scopes';
import { serviceRequest } from './service-request.js';

export interface DeviceGone {
  /** UUIDs. */
  deviceId: string;
  organizationId: string;
  /** Of the message by which it was found. */
  environment: Environment;
  requestId: string;
}

/** `ended`: false when the device had ended before, or is not there. */
export const deviceGoneRequest = serviceRequest<DeviceGone, { ended: boolean }>('cmd.auth.device.gone');
