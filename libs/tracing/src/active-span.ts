/** The span of the work that is running now. It follows promises and callbacks of this work (AsyncLocalStorage). */
import type { TraceContext } from '@ams/contracts';
import { AsyncLocalStorage } from 'node:async_hooks';
import { endSpan, presentTracing, type Span } from './span.js';

const running = new AsyncLocalStorage<Span>();

/** A loop that a request has started continues after it: a span that has ended is not active any more. */
export function activeSpan(): Span | undefined {
  if (presentTracing() === null) return undefined;
  const span = running.getStore();
  return span?.isRecording() ? span : undefined;
}

/** Does `work` with this span as the active one, or with none. */
export const within = <T>(span: Span | undefined, work: () => T): T =>
  presentTracing() === null ? work() : running.run(span as Span, work);

/** Does `work` in this span, and ends the span with the work, with its error. Without a span nothing changes. */
export function inSpan<T>(span: Span | undefined, work: () => Promise<T>): Promise<T> {
  return span ? untilEnd(span, work) : work();
}

async function untilEnd<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await running.run(span, work);
    endSpan(span);
    return result;
  } catch (error) {
    endSpan(span, { error });
    throw error;
  }
}

const owners = new WeakMap<object, Span>();

/**
 * Keeps the active span for work that is done later together with that of others: `within(ownSpan(command), …)`. Otherwise
 * all of it would belong to the span of the first one.
 */
export function keepSpan(owner: object): void {
  const span = activeSpan();
  if (span) owners.set(owner, span);
}

export const ownSpan = (owner: object): Span | undefined => owners.get(owner);

const none: TraceContext = Object.freeze({});

/** What a message must have so that its receiver continues the trace. Empty without an active span. */
export function traceContext(span: Span | undefined = activeSpan()): TraceContext {
  if (!span) return none;
  const { traceId, spanId, traceState } = span.spanContext();
  const traceparent = `00-${traceId}-${spanId}-01`;
  const tracestate = traceState?.serialize();
  return tracestate ? { traceparent, tracestate } : { traceparent };
}

/** The message itself without an active span. */
export function withTraceContext<Message extends object>(message: Message): Message & TraceContext {
  const span = activeSpan();
  return span ? { ...message, ...traceContext(span) } : message;
}

/** The fields of a log line, by which its trace is found. */
export function spanInLog(): { trace_id?: string; span_id?: string } {
  const span = activeSpan();
  if (!span) return {};
  const { traceId, spanId } = span.spanContext();
  return { trace_id: traceId, span_id: spanId };
}
