/**
 * How long this gateway has been able to receive and store requests without an interruption, by its monotonic clock.
 * The alert pipeline asks for it, because a heartbeat must not expire for a time in which no gateway could receive.
 * Interruptions are a start, a disconnection from NATS, an event that could not be stored, and a pause of the process.
 */
import { receivingRequest } from '@ams/contracts';
import { HandlesRequest } from '@ams/messaging';
import { Controller, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Publisher } from '../publishing/publisher.js';

const tickMs = 500;
/** A longer time between two ticks is a pause: connections were not accepted, or not in time. */
const pauseMs = 3_000;

@Injectable()
export class Reception implements OnApplicationBootstrap, OnApplicationShutdown {
  private since: number | null = null;
  private lastTick = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly publisher: Publisher) {
    publisher.onReconnect(() => this.interrupt());
  }

  onApplicationBootstrap(): void {
    this.since = this.lastTick = performance.now();
    this.timer = setInterval(() => this.tick(), tickMs);
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
    this.since = null;
  }

  /** A request was refused that should have been stored. */
  interrupt(): void {
    if (this.since !== null) this.since = performance.now();
  }

  get receivingMs(): number {
    this.tick();
    return this.since === null || this.publisher.isDisconnected ? 0 : performance.now() - this.since;
  }

  private tick(): void {
    const now = performance.now();
    if (now - this.lastTick > pauseMs) this.interrupt();
    this.lastTick = now;
  }
}

@Controller()
export class ReceptionController {
  constructor(private readonly reception: Reception) {}

  @HandlesRequest(receivingRequest, { everyReplica: true })
  receiving(): Promise<{ receivingMs: number }> {
    return Promise.resolve({ receivingMs: this.reception.receivingMs });
  }
}
