/**
 * Questions to other services over the broker, on one inbox of this replica. Whoever asks gets an outcome, never an
 * error: an answer, nobody listens, silence, or the broker is away. When the connection breaks, what is open ends at
 * once: its answers would go to an inbox that the broker has forgotten.
 */
import { Tokens, type Part } from '@ams/service';
import { atEndOfTurn, type NatsConnection } from '@ams/messaging';
import { createInbox } from '@nats-io/transport-node';
import { Inject, Injectable } from '@nestjs/common';
import { serviceName } from './settings.js';

export type Asked =
  | { kind: 'answer'; data: Uint8Array }
  | { kind: 'nobody' }
  | { kind: 'silence' }
  | { kind: 'away' }
  | { kind: 'tooLarge' };

const nobody: Asked = { kind: 'nobody' };
const silence: Asked = { kind: 'silence' };
const away: Asked = { kind: 'away' };
const tooLarge: Asked = { kind: 'tooLarge' };

interface Open {
  settle: (asked: Asked) => void;
  timer: NodeJS.Timeout;
}

const encoder = new TextEncoder();

@Injectable()
export class Asking implements Part {
  private readonly open = new Map<string, Open>();
  private readonly inbox = `${createInbox(`_INBOX_${serviceName}`)}.`;
  private next = 0;
  private connected = true;

  constructor(@Inject(Tokens.broker) private readonly broker: NatsConnection) {}

  async start(): Promise<void> {
    this.broker.subscribe(`${this.inbox}*`, {
      callback: (error, message) => {
        if (error) return;
        // 503 in the header of an empty message is the broker's own: no responders.
        const isNobody = message.data.length === 0 && message.headers?.code === 503;
        this.settle(
          message.subject.slice(this.inbox.length),
          isNobody ? nobody : { kind: 'answer', data: message.data },
        );
      },
    });
    void this.watchConnection();
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.broker.status()) {
      if (status.type === 'disconnect' || status.type === 'staleConnection' || status.type === 'close') {
        this.connected = false;
        for (const token of [...this.open.keys()]) this.settle(token, away);
      } else if (status.type === 'reconnect') this.connected = true;
    }
    this.connected = false;
  }

  private settle(token: string, asked: Asked): void {
    const waiting = this.open.get(token);
    if (!waiting) return;
    this.open.delete(token);
    clearTimeout(waiting.timer);
    waiting.settle(asked);
  }

  /** What the broker carries in one message. */
  get maxMessageBytes(): number {
    return this.broker.info?.max_payload ?? 1024 * 1024;
  }

  ask(subject: string, question: string, timeoutMs: number): Promise<Asked> {
    if (!this.connected || this.broker.isClosed()) return Promise.resolve(away);
    const payload = encoder.encode(question);
    if (payload.length > this.maxMessageBytes) return Promise.resolve(tooLarge);
    return new Promise((resolve) => {
      const token = (this.next++).toString(36);
      this.open.set(token, { settle: resolve, timer: setTimeout(() => this.settle(token, silence), timeoutMs) });
      atEndOfTurn(() => {
        try {
          this.broker.publish(subject, payload, { reply: this.inbox + token });
        } catch {
          this.settle(token, away);
        }
      });
    });
  }
}
