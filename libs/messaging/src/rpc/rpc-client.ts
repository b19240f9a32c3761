/** Requests to other services. */
import { Fault, type ServiceRequest } from '@ams/contracts';
import { inSpan, traceContext, type Span } from '@ams/tracing';
import { errors, type NatsConnection } from '@nats-io/transport-node';
import { requestHeaders } from './request-headers.js';
import { clientSpan } from './request-span.js';

export interface RequestOptions {
  timeoutMs: number;
  /** The request is dropped when it is received later. The default is `timeoutMs`. */
  receivedWithinMs?: number;
  /** For the fault, which the caller of the API gets. */
  requestId: string;
}

/** Whether the fault of a request has the cause that NATS has no subscription for its subject. */
export const hasNoResponder = (fault: unknown): boolean =>
  fault instanceof Fault && fault.cause instanceof errors.RequestError && fault.cause.isNoResponders();

export class RpcClient {
  constructor(private readonly connection: NatsConnection) {}

  /** No handler, no connection to NATS, or no reply in time: throws UNAVAILABLE, with the error as its cause. */
  request<Request, Reply>(
    operation: ServiceRequest<Request, Reply>,
    request: Request,
    options: RequestOptions,
  ): Promise<Reply> {
    const span = clientSpan(operation.subject);
    return inSpan(span, () => this.send(operation, request, options, span));
  }

  private async send<Request, Reply>(
    { subject }: ServiceRequest<Request, Reply>,
    request: Request,
    { timeoutMs, receivedWithinMs = timeoutMs, requestId }: RequestOptions,
    span: Span | undefined,
  ): Promise<Reply> {
    try {
      const reply = await this.connection.request(subject, JSON.stringify(request), {
        timeout: timeoutMs,
        headers: requestHeaders(receivedWithinMs, span && traceContext(span)),
      });
      return reply.json<Reply>();
    } catch (error) {
      const fault = new Fault('UNAVAILABLE', { requestId });
      fault.cause = error;
      throw fault;
    }
  }

  /**
   * The replies of all replicas. The request has no time limit: a replica that receives it late does it all the same. It
   * ends after `stallMs` without a further reply, at the latest after `maxWaitMs`.
   */
  async requestAll<Request, Reply>(
    { subject }: ServiceRequest<Request, Reply>,
    request: Request,
    { stallMs, maxWaitMs }: { stallMs: number; maxWaitMs: number },
  ): Promise<Reply[]> {
    const span = clientSpan(subject);
    const headers = span && requestHeaders(Number.POSITIVE_INFINITY, traceContext(span));
    const options = { strategy: 'stall', stall: stallMs, maxWait: maxWaitMs, ...(headers && { headers }) } as const;
    return inSpan(span, async () => {
      const replies: Reply[] = [];
      for await (const reply of await this.connection.requestMany(subject, JSON.stringify(request), options)) {
        replies.push(reply.json<Reply>());
      }
      return replies;
    });
  }
}
