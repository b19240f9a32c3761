/** Switches traces on. The packages that record and export spans are loaded here, and only when this is called. */
import { setTracing } from './span.js';

/** `exported`: the collector has accepted it. `dropped`: the queue was full. `failed`: the collector did not accept it. */
export type SpanOutcome = 'exported' | 'dropped' | 'failed';

export interface TracingOptions {
  service: string;
  /** Where spans are posted, as OTLP in JSON. */
  url: string;
  headers: Record<string, string>;
  ratio: number;
  /** Attributes of the resource, besides the name of the service. */
  attributes: Record<string, string>;
  count: (outcome: SpanOutcome, spans: number) => void;
  /** Called with a code when an export fails, and with null when one succeeds after that. */
  failing: (code: string | null) => void;
}

export interface RunningTracing {
  /** No span begins after this. Exports those that have ended, until the time is over; what is left then is dropped. */
  stop(timeoutMs: number): Promise<void>;
}

export async function startTracing(options: TracingOptions): Promise<RunningTracing> {
  const { openTracer } = await import('./sdk/tracer.js');
  const { tracer, flush } = openTracer(options);
  setTracing({ tracer, ratio: options.ratio });
  return {
    stop(timeoutMs) {
      setTracing(null);
      return flush(timeoutMs);
    },
  };
}
