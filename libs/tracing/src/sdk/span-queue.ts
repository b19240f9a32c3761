/**
 * Spans that have ended and wait for the collector. One export runs at a time. When the queue is full, because the
 * collector is slow or absent, further spans are dropped and counted; work never waits for this.
 *
 * OpenTelemetry's own BatchSpanProcessor does not tell how many spans it drops, nor does it stop at a time.
 */
import type { ReadableSpan, SpanExporter, SpanProcessor } from '@opentelemetry/sdk-trace';
import { codeOfError } from '../span.js';
import type { TracingOptions } from '../start-tracing.js';

export interface SpanQueueOptions extends Pick<TracingOptions, 'count' | 'failing'> {
  exporter: Pick<SpanExporter, 'export'>;
  /** An export without a result after this time has failed. */
  exportMs: number;
  /** The most spans that wait. */
  most?: number;
  /** The most spans of one export. */
  batch?: number;
  /** How long the first span waits for others. */
  gatherMs?: number;
}

export class SpanQueue implements SpanProcessor {
  private waiting: ReadableSpan[] = [];
  private exporting: Promise<void> | null = null;
  private timer: NodeJS.Timeout | null = null;
  private isFailing = false;
  private readonly most: number;
  private readonly batch: number;
  private readonly gatherMs: number;

  constructor(private readonly options: SpanQueueOptions) {
    this.most = options.most ?? 4096;
    this.batch = options.batch ?? 512;
    this.gatherMs = options.gatherMs ?? 1000;
  }

  onStart(): void {}

  onEnd(span: ReadableSpan): void {
    if (this.waiting.length >= this.most) return this.options.count('dropped', 1);
    this.waiting.push(span);
    if (this.waiting.length >= this.batch) this.begin();
    else this.timer ??= setTimeout(() => this.begin(), this.gatherMs).unref();
  }

  /** Resolves when nothing waits, or when the time is over. What waits then is dropped. */
  async flush(timeoutMs: number): Promise<void> {
    // One that has failed is probably still away: no stop waits for it.
    const end = performance.now() + (this.isFailing ? 0 : timeoutMs);
    this.begin();
    while (this.exporting && performance.now() < end) {
      await withinTime(this.exporting, end - performance.now());
      this.begin();
    }
    this.options.count('dropped', this.waiting.splice(0).length);
  }

  forceFlush(): Promise<void> {
    return this.flush(this.options.exportMs);
  }

  shutdown(): Promise<void> {
    return this.flush(this.options.exportMs);
  }

  private begin(): void {
    if (this.timer) clearTimeout(this.timer);
    this.timer = null;
    if (this.exporting || this.waiting.length === 0) return;
    this.exporting = this.exportNext().finally(() => {
      this.exporting = null;
      if (this.waiting.length >= this.batch) this.begin();
      else if (this.waiting.length > 0) this.timer ??= setTimeout(() => this.begin(), this.gatherMs).unref();
    });
  }

  private async exportNext(): Promise<void> {
    const { exportMs, count, failing } = this.options;
    const spans = this.waiting.splice(0, this.batch);
    const result = new Promise<string | null>((resolve) => this.send(spans, resolve));
    const code = await withinTime(result, exportMs + 1000, 'TIMEOUT');
    count(code === null ? 'exported' : 'failed', spans.length);
    if ((code !== null) !== this.isFailing) failing(code);
    this.isFailing = code !== null;
  }

  /** `done` gets null when the collector has accepted the spans. */
  private send(spans: ReadableSpan[], done: (code: string | null) => void): void {
    try {
      this.options.exporter.export(spans, ({ code, error }) => done(code === 0 ? null : codeOf(error)));
    } catch (error) {
      done(codeOf(error));
    }
  }
}

/** The exporter's code is a status of HTTP. The text of its error has the answer of the collector. */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | undefined)?.code;
  return typeof code === 'number' ? String(code) : codeOfError(error);
}

async function withinTime<T, L = undefined>(work: Promise<T>, ms: number, late?: L): Promise<T | L> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<L>((resolve) => {
    timer = setTimeout(() => resolve(late as L), Math.max(0, ms));
  });
  try {
    return await Promise.race([work, over]);
  } finally {
    clearTimeout(timer);
  }
}
