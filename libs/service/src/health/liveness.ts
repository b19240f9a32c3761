/**
 * The checks of consumers. `/readyz` fails when a consumer has made no progress for `stalledAfterMs`: the cause may be
 * outside of the process. `/livez` fails when it has not even tried for a minute: then only a restart helps.
 */
import type { WorkClock } from '@ams/messaging';
import { HealthIndicatorService, type HealthIndicatorFunction } from '@nestjs/terminus';
import { Injectable } from '@nestjs/common';
import { Readiness } from './readiness.js';

/** Longer than any attempt and any pause between two of them. */
const deadAfterMs = 60_000;
const defaultStalledAfterMs = 15_000;

const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;

@Injectable()
export class Liveness {
  private readonly consumers = new Map<string, () => readonly WorkClock[]>();

  constructor(
    private readonly readiness: Readiness,
    private readonly indicators: HealthIndicatorService,
  ) {}

  /** `clocks`: those of the parts of the consumer that work now. */
  watch(name: string, clocks: () => readonly WorkClock[], stalledAfterMs = defaultStalledAfterMs): void {
    this.consumers.set(name, clocks);
    this.readiness.add(name, () => {
      const longest = Math.max(0, ...clocks().map(({ msSinceProgress }) => msSinceProgress));
      return longest > stalledAfterMs ? `no progress for ${seconds(longest)}` : null;
    });
  }

  /** For Terminus. */
  get functions(): HealthIndicatorFunction[] {
    return [...this.consumers].map(([name, clocks]) => () => {
      const indicator = this.indicators.check(name);
      const longest = Math.max(0, ...clocks().map(({ msSinceAttempt }) => msSinceAttempt));
      return longest > deadAfterMs ? indicator.down(`no attempt for ${seconds(longest)}`) : indicator.up();
    });
  }
}
