import type { Operation } from '@ams/contracts';

/** What the decorators tell the transport about a handler. */
export interface HandlerExtras {
  operation?: Operation;
  /** Every replica gets the message; without it one of them does. */
  everyReplica?: boolean;
}
