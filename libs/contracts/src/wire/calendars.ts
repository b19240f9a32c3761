/** `calendars.read`: the content of a calendar feed, for the API gateway, which serves it without a key. */
import { gatewayRequest } from './service-request.js';

export interface CalendarRequest {
  /** SHA-256 of the token in the URL (`credentialHash`). */
  tokenHash: string;
}

export type CalendarReply =
  | {
      kind: 'calendar';
      /** RFC 5545. */
      text: string;
      /** RFC 3339. */
      lastModified: string;
    }
  | { kind: 'unknown' };

export const calendarRequest = gatewayRequest<CalendarRequest, CalendarReply>('rpc.calendars.read', 'resource-api');
