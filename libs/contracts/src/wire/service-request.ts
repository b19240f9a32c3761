/** Requests between services that are not operations of the API. */
import type { Owner } from '../operation.js';

/**
 * A request between services that is not an operation of the API: its subject and the types of request and response.
 * Both ends use the same value: `@HandlesRequest(admit)` at the owner, `rpcClient.request(admit, …)` at the caller.
 */
export interface ServiceRequest<Request, Reply> {
  readonly subject: string;
  /** Only for the type checker; never set. */
  readonly types?: { request: Request; reply: Reply };
}

export const serviceRequest = <Request, Reply>(subject: string): ServiceRequest<Request, Reply> => ({ subject });

/** A request that only the API gateway sends. It signs it for the owner, as it does with calls (docs/adr/0072). */
export interface GatewayRequest<Request, Reply> extends ServiceRequest<Request, Reply> {
  readonly owner: Owner;
}

export const gatewayRequest = <Request, Reply>(subject: string, owner: Owner): GatewayRequest<Request, Reply> => ({
  subject,
  owner,
});
