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
