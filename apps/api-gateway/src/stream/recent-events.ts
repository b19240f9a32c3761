/**
 * The newest events of all tenants, in memory, each as the text that is sent: it is made once, however many connections
 * get it. Connections read them with a position of their own, so none has a buffer. The size and the age are limited;
 * older events are read from NATS.
 */
import { isAfter, textOf, type Position } from './position.js';
import type { LiveEvent } from './live-event.js';

export interface RecentEvent {
  sequence: number;
  index: number;
  belonging: LiveEvent['belonging'];
  type: LiveEvent['data']['type'];
  text: string;
}

/** The events of one tenant, oldest first. Their numbers count on when the oldest ones are dropped. */
interface TenantEvents {
  events: RecentEvent[];
  /** The number of the first one. */
  firstNumber: number;
}

interface Kept {
  sequence: number;
  at: number;
  bytes: number;
  /** The tenants with events in the message. */
  tenants: string[];
}

/** What an event needs beside its text, in bytes. */
const overhead = 300;

export const tenantKey = ({ organizationId, environment }: { organizationId: string; environment: string }): string =>
  `${organizationId} ${environment}`;

/** The event as text of the stream (WHATWG HTML, 9.2). */
export const eventText = (type: string, id: string, data: unknown): string =>
  `event: ${type}\nid: ${id}\ndata: ${JSON.stringify(data)}\n\n`;

export class RecentEvents {
  private tenants = new Map<string, TenantEvents>();
  private messages: Kept[] = [];
  private bytes = 0;
  /** The first message that is kept completely: all from it to `next` are. */
  private first = 0;
  private nextSequence = 0;

  constructor(private readonly limits: { bytes: number; ageMs: number }) {}

  get from(): number {
    return this.first;
  }

  get next(): number {
    return this.nextSequence;
  }

  get size(): number {
    return this.bytes;
  }

  /** Forgets everything. The next message has this sequence. */
  begin(sequence: number): void {
    this.tenants = new Map();
    this.messages = [];
    this.bytes = 0;
    this.first = sequence;
    this.nextSequence = sequence;
  }

  /** Adds the events of the next message, and drops those over the limits. Returns the tenants that have new events. */
  add(epoch: string, sequence: number, events: readonly (LiveEvent | null)[], now: number): Set<string> {
    const changed = new Set<string>();
    let bytes = 0;
    events.forEach((event, index) => {
      if (event === null) return;
      const key = tenantKey(event);
      const recent = recentOf(event, { epoch, sequence, index });
      const known = this.tenants.get(key);
      if (known) known.events.push(recent);
      else this.tenants.set(key, { events: [recent], firstNumber: 0 });
      bytes += recent.text.length + overhead;
      changed.add(key);
    });
    this.nextSequence = sequence + 1;
    this.messages.push({ sequence, at: now, bytes, tenants: [...changed] });
    this.bytes += bytes;
    this.trim(now);
    return changed;
  }

  /** Always keeps the newest message. */
  private trim(now: number): void {
    let dropped = 0;
    for (const { sequence, at, bytes, tenants } of this.messages) {
      if (dropped === this.messages.length - 1) break;
      if (this.bytes <= this.limits.bytes && at >= now - this.limits.ageMs) break;
      for (const key of tenants) this.drop(key, sequence);
      this.bytes -= bytes;
      this.first = sequence + 1;
      dropped++;
    }
    if (dropped > 0) this.messages.splice(0, dropped);
  }

  private drop(key: string, sequence: number): void {
    const known = this.tenants.get(key);
    if (!known) return;
    const kept = known.events.findIndex((event) => event.sequence > sequence);
    const count = kept === -1 ? known.events.length : kept;
    known.events.splice(0, count);
    known.firstNumber += count;
  }

  /** The number of the first event of the tenant after the position. */
  numberAfter(key: string, position: Position): number {
    const known = this.tenants.get(key);
    if (!known) return 0;
    // Most callers were away for a moment only.
    const last = known.events.findLastIndex(({ sequence, index }) => !isAfter(sequence, index, position));
    return known.firstNumber + last + 1;
  }

  /** The event with this number; null when there is none yet, and `dropped` when it is not kept any more. */
  eventAt(key: string, number: number): RecentEvent | null | 'dropped' {
    const known = this.tenants.get(key);
    if (!known) return number > 0 ? 'dropped' : null;
    if (number < known.firstNumber) return 'dropped';
    return known.events[number - known.firstNumber] ?? null;
  }
}

export const recentOf = (event: LiveEvent, position: Position): RecentEvent => ({
  sequence: position.sequence,
  index: position.index,
  belonging: event.belonging,
  type: event.data.type,
  text: eventText(event.data.type, textOf(position), event.data),
});
