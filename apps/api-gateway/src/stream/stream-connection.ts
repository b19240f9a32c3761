/**
 * One caller of the stream. It reads the recent events of its tenant with a number of its own, as fast as the caller
 * reads, so a slow caller needs no memory. A caller that is behind what is kept, or reads nothing for some time, is
 * disconnected: it comes back with the id of its last event.
 */
import type { Principal, StreamEventType } from '@ams/contracts';
import type { ServerResponse } from 'node:http';
import { isVisible } from './live-event.js';
import type { LiveEvents } from './live-events.js';
import { textOf, type Position } from './position.js';
import type { RecentEvent } from './recent-events.js';

export type EndReason = 'stopped' | 'revoked' | 'expired' | 'renewal' | 'slow' | 'left';

/** The text that is written at once. */
const chunkChars = 64 * 1024;
/** How long the last text may take to a caller that does not read. */
const lingerMs = 5000;

export interface StreamCaller {
  principal: Principal;
  tenant: string;
  types: ReadonlySet<StreamEventType>;
  /** In milliseconds of the monotonic clock. */
  endsAt: number;
  endsFor: 'expired' | 'renewal';
}

export class StreamConnection {
  endsAt: number;
  endsFor: StreamCaller['endsFor'];
  ended: EndReason | null = null;
  /** The number of the next event; null while older ones are replayed. */
  private next: number | null = null;
  /** Since when the caller's connection takes no more text. */
  private isBlocked = false;
  /** At the last check, in bytes. */
  private unread = 0;
  /** Checks one after another at which the caller had read nothing. */
  private checksWithoutReading = 0;

  constructor(
    readonly caller: StreamCaller,
    private readonly raw: ServerResponse,
    private readonly events: LiveEvents,
  ) {
    this.endsAt = caller.endsAt;
    this.endsFor = caller.endsFor;
  }

  /** `after`: the caller's last event; null when it begins now. `invalid`: it sent an id that is no position. */
  async begin(after: Position | 'invalid' | null, retryMs: number): Promise<void> {
    this.write(`retry: ${retryMs}\n\n`);
    if (after === null) return this.continueAtEnd('');
    const next =
      after === 'invalid'
        ? null
        : await this.events.replay(
            after,
            this.caller.tenant,
            (event) => this.replayed(event),
            () => this.isOver,
          );
    // Or the caller was told already to load again.
    if (this.isOver || this.next !== null) return;
    if (next === null) this.reset();
    else {
      this.next = next;
      this.advance();
    }
  }

  private get isOver(): boolean {
    return this.ended !== null || this.raw.destroyed;
  }

  private continueAtEnd(text: string): void {
    const { end } = this.events;
    if (end === null) return;
    this.next = this.events.recent.numberAfter(this.caller.tenant, end);
    this.write(`${text}id: ${textOf(end)}\n\n`);
  }

  /** The caller has to load again what it shows: events may be missing. */
  reset(): void {
    // It would have to be remembered until the caller reads. The caller comes back with an id that leads to a reset.
    if (this.isBlocked) return this.end('slow', 0);
    this.continueAtEnd('event: reset\ndata: {}\n');
  }

  /** Writes the events that have come since. */
  advance(): void {
    let text = '';
    while (this.next !== null && !this.isBlocked && !this.isOver) {
      const event = this.events.recent.eventAt(this.caller.tenant, this.next);
      if (event === 'dropped') return this.end('slow', 0);
      if (event !== null) {
        this.next++;
        if (this.sees(event)) text += event.text;
      }
      if (text !== '' && (event === null || text.length >= chunkChars)) {
        this.write(text);
        text = '';
      }
      if (event === null) return;
    }
  }

  private sees({ type, belonging }: RecentEvent): boolean {
    return this.caller.types.has(type) && isVisible(belonging, this.caller.principal);
  }

  /** Resolves when the caller can take more. */
  private async replayed(event: RecentEvent): Promise<void> {
    if (this.isOver) throw new Error('the caller has left');
    if (!this.sees(event)) return;
    this.write(event.text);
    if (!this.isBlocked) return;
    await new Promise<void>((resolve) => {
      const done = (): void => {
        this.raw.off('drain', done);
        this.raw.off('close', done);
        resolve();
      };
      this.raw.on('drain', done);
      this.raw.on('close', done);
    });
  }

  private write(text: string): void {
    if (this.isOver || this.raw.write(text)) return;
    this.isBlocked = true;
    this.raw.once('drain', () => {
      this.isBlocked = false;
      this.advance();
    });
  }

  /** A comment, with the position that the caller has reached, so that it may be away for long after a quiet hour. */
  beat(): void {
    if (this.isOver || this.isBlocked) return;
    const { end } = this.events;
    const isAtEnd = this.next !== null && this.events.recent.eventAt(this.caller.tenant, this.next) === null;
    this.write(isAtEnd && end !== null ? `: heartbeat\nid: ${textOf(end)}\n\n` : ': heartbeat\n\n');
  }

  /**
   * Ends the connection when its time is over, or when the caller has read nothing at more than `stallChecks` checks. The
   * checks are counted, not the time: while this process stands still, the caller cannot read.
   */
  check(now: number, stallChecks: number, retryMs: number): void {
    const unread = this.isBlocked ? this.raw.writableLength : 0;
    this.checksWithoutReading = this.isBlocked && unread >= this.unread ? this.checksWithoutReading + 1 : 0;
    this.unread = unread;
    if (this.checksWithoutReading > stallChecks) this.end('slow', 0);
    else if (now >= this.endsAt) this.end(this.endsFor, retryMs);
  }

  /** `retryMs`: when the caller is to come back. */
  end(reason: EndReason, retryMs: number): void {
    if (this.ended !== null) return;
    this.ended = reason;
    if (reason === 'slow' || reason === 'left') return void this.raw.destroy();
    this.raw.end(`retry: ${retryMs}\n${closeText(reason)}`);
    setTimeout(() => this.raw.destroy(), lingerMs).unref();
  }
}

const closeText = (reason: EndReason): string => `event: close\ndata: ${JSON.stringify({ reason })}\n\n`;
