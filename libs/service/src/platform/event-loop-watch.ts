/**
 * Measures how long the event loop is held, and by which evaluation. While it is held, nobody gets an answer, and
 * `/readyz` gives none either.
 */
import { Logger } from '@ams/messaging';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Metrics } from '../metrics.js';
import { evaluationTurns, type Slice } from './evaluation-turns.js';

const watchMs = 25;
const shortestMs = 5;
const tooLongMs = 50;
/** At most one line of the log in this time. */
const quietMs = 10_000;

@Injectable()
export class EventLoopWatch implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;
  private longest: Slice | null = null;
  private lastAt = 0;
  private quietUntil = 0;
  private endSlices: (() => void) | undefined;
  private readonly slices;
  private readonly held;

  constructor(
    metrics: Metrics,
    private readonly log: Logger,
  ) {
    this.slices = metrics.durations(
      'ams_evaluation_slice_seconds',
      'How long conditions, mappings and searches held the event loop before others had their turn.',
    );
    this.held = metrics.durations(
      'ams_event_loop_held_seconds',
      'How long the event loop was held by anything, when it was held for 5 ms or more.',
    );
  }

  onApplicationBootstrap(): void {
    this.endSlices = evaluationTurns.onSlice((slice) => {
      this.slices.observe(slice.ms / 1000);
      if (slice.ms > (this.longest?.ms ?? 0)) this.longest = slice;
    });
    this.lastAt = performance.now();
    this.timer = setInterval(() => this.look(performance.now()), watchMs).unref();
  }

  onApplicationShutdown(): void {
    this.endSlices?.();
    clearInterval(this.timer);
  }

  private look(now: number): void {
    const heldMs = now - this.lastAt - watchMs;
    const { longest } = this;
    this.lastAt = now;
    this.longest = null;
    if (heldMs < shortestMs) return;
    this.held.observe(heldMs / 1000);
    if (heldMs < tooLongMs || now < this.quietUntil) return;
    this.quietUntil = now + quietMs;
    const { organizationId = null, record = null } = longest?.owner ?? {};
    this.log.warn(
      { heldMs: Math.round(heldMs), organizationId, record, evaluationMs: Math.round(longest?.ms ?? 0) },
      'the event loop was held; this evaluation took longest meanwhile',
    );
  }
}
