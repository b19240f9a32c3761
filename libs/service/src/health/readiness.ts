/**
 * The checks that must pass for the service to be ready. Modules add their own: `readiness.add('database', () => …)`.
 */
import { HealthIndicatorService, type HealthIndicatorFunction } from '@nestjs/terminus';
import { Injectable } from '@nestjs/common';

/** `null` when it works, a note when it works and operators must know something, otherwise a short error message. */
export type Condition = string | { note: string } | null;
export type ReadinessCheck = () => Promise<Condition> | Condition;

@Injectable()
export class Readiness {
  private readonly checks = new Map<string, ReadinessCheck>();
  private phase: 'starting' | 'ready' | 'stopping' = 'starting';
  private changed: () => void = () => undefined;

  constructor(private readonly indicators: HealthIndicatorService) {
    this.add('service', () => (this.phase === 'ready' ? null : this.phase));
  }

  add(name: string, check: ReadinessCheck): void {
    this.checks.set(name, check);
  }

  started(): void {
    this.phase = 'ready';
    this.changed();
  }

  stopping(): void {
    this.phase = 'stopping';
    this.changed();
  }

  /** Whether the service was told to stop. */
  get isStopping(): boolean {
    return this.phase === 'stopping';
  }

  /** `changed` is called when the service has started, and when it stops. */
  onChange(changed: () => void): void {
    this.changed = changed;
  }

  async isReady(): Promise<boolean> {
    const conditions = await Promise.all([...this.checks.values()].map(async (check) => check()));
    return !conditions.some((condition) => typeof condition === 'string');
  }

  /** For Terminus. */
  get functions(): HealthIndicatorFunction[] {
    return [...this.checks].map(([name, check]) => async () => {
      const indicator = this.indicators.check(name);
      const problem = await check();
      if (typeof problem === 'string') return indicator.down(problem);
      return problem === null ? indicator.up() : indicator.up({ message: problem.note });
    });
  }
}
