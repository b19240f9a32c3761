/** Requests about one sender to the alert pipeline: each names its organization, environment and integration. */
import type { SenderRequest, ServiceRequest } from '@ams/contracts';
import { RpcClient } from '@ams/messaging';
import { Injectable } from '@nestjs/common';
import type { Sender } from '../integrations/integrations.js';
import type { RequestContext } from './request-context.js';

type Asked<Request> = Omit<Request, keyof SenderRequest>;

@Injectable()
export class SenderRequests {
  constructor(private readonly rpc: RpcClient) {}

  /** Throws UNAVAILABLE when the pipeline does not answer in the time of the request. */
  ask<Request extends SenderRequest, Reply>(
    { requestId, deadline }: RequestContext,
    { organizationId, environment, id }: Sender,
    request: ServiceRequest<Request, Reply>,
    asked: Asked<Request>,
  ): Promise<Reply> {
    const timeoutMs = Math.max(1, Math.ceil(deadline - performance.now()));
    const full = { ...asked, organizationId, environment, integrationId: id } as unknown as Request;
    return this.rpc.request(request, full, { timeoutMs, requestId });
  }
}
