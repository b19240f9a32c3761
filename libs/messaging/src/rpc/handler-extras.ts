import type { Operation } from '@ams/contracts';

/** What the decorators tell the transport about a handler. */
export interface HandlerExtras {
  operation?: Operation;
  /** Every replica gets the message. Default: one of them gets it. */
  everyReplica?: boolean;
  /** The API gateway calls it, and signs its calls. */
  signed?: boolean;
}
