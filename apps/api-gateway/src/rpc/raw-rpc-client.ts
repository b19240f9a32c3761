/**
 * Requests to other services over NATS. All replies arrive in one inbox of this replica. The result is a value, never
 * an error, and a reply is not parsed. When NATS disconnects, every open request ends at once, because its reply cannot
 * arrive any more.
 */
import { atEndOfTurn, clientSpan, NatsConnection, refusedHeader, requestHeaders } from '@ams/messaging';
import { endSpan, failSpan, traceContext, type Span } from '@ams/tracing';
import { createInbox } from '@nats-io/transport-node';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { serviceName } from '../settings.js';
import { CallSigner } from './call-signer.js';

export type RpcResult =
  | { kind: 'reply'; data: Uint8Array }
  | { kind: 'noResponders' }
  | { kind: 'timeout' }
  | { kind: 'disconnected' }
  | { kind: 'tooLarge' }
  /** By the owner, because of its signature. It was not executed. */
  | { kind: 'refused' };

/** Where a request is sent. The owner is part of what is signed. */
export interface Target {
  subject: string;
  owner: string;
}

const noResponders: RpcResult = { kind: 'noResponders' };
const timeout: RpcResult = { kind: 'timeout' };
const disconnected: RpcResult = { kind: 'disconnected' };
const tooLarge: RpcResult = { kind: 'tooLarge' };
const refused: RpcResult = { kind: 'refused' };

interface OpenRequest {
  subject: string;
  span: Span | undefined;
  settle: (result: RpcResult) => void;
  timer: NodeJS.Timeout;
}

const encoder = new TextEncoder();

@Injectable()
export class RawRpcClient implements OnModuleInit {
  private readonly open = new Map<string, OpenRequest>();
  private readonly inbox = `${createInbox(`_INBOX_${serviceName}`)}.`;
  private next = 0;
  private connected = true;

  constructor(
    private readonly connection: NatsConnection,
    private readonly signer: CallSigner,
  ) {}

  onModuleInit(): void {
    this.connection.subscribe(`${this.inbox}*`, {
      callback: (error, message) => {
        if (error) return;
        const token = message.subject.slice(this.inbox.length);
        const reason = message.headers?.get(refusedHeader);
        if (reason) return this.refuse(token, reason);
        // NATS itself replies with an empty message and 503 in its header when nobody is subscribed.
        const isNobody = message.data.length === 0 && message.headers?.code === 503;
        this.settle(token, isNobody ? noResponders : { kind: 'reply', data: message.data });
      },
    });
    void this.watchConnection();
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.connection.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection' || status.type === 'close') {
        this.connected = false;
        for (const token of [...this.open.keys()]) this.settle(token, disconnected);
      } else if (status.type === 'reconnect') this.connected = true;
    }
    this.connected = false;
  }

  private settle(token: string, result: RpcResult): void {
    const request = this.open.get(token);
    if (!request) return;
    this.open.delete(token);
    clearTimeout(request.timer);
    if (result.kind !== 'reply') failSpan(request.span, result.kind);
    endSpan(request.span);
    request.settle(result);
  }

  private refuse(token: string, reason: string): void {
    const subject = this.open.get(token)?.subject;
    if (subject !== undefined) this.signer.wasRefused(subject, reason);
    this.settle(token, refused);
  }

  /** The largest message that the NATS server accepts. */
  get maxMessageBytes(): number {
    return this.connection.info?.max_payload ?? 1024 * 1024;
  }

  request({ subject, owner }: Target, message: string, timeoutMs: number): Promise<RpcResult> {
    if (!this.connected || this.connection.isClosed()) return Promise.resolve(disconnected);
    const payload = encoder.encode(message);
    if (payload.length > this.maxMessageBytes) return Promise.resolve(tooLarge);
    return new Promise((resolve) => {
      const token = (this.next++).toString(36);
      const span = clientSpan(subject);
      const timer = setTimeout(() => this.settle(token, timeout), timeoutMs);
      this.open.set(token, { subject, span, settle: resolve, timer });
      atEndOfTurn(() => {
        try {
          const reply = this.inbox + token;
          const signature = this.signer.sign(owner, subject, reply, timeoutMs, payload);
          const headers = requestHeaders(timeoutMs, span && traceContext(span), signature);
          this.connection.publish(subject, payload, { reply, headers });
        } catch {
          this.settle(token, disconnected);
        }
      });
    });
  }
}
