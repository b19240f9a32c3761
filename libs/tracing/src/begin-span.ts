/** The beginnings of spans. Each returns undefined when nothing is recorded, and does nearly nothing then. */
import type { TraceContext } from '@ams/contracts';
import {
  createTraceState,
  ROOT_CONTEXT,
  SpanKind,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
} from '@opentelemetry/api';
import { activeSpan } from './active-span.js';
import { presentTracing } from './span.js';

/** Version 0 has no further field. A later version may have some, which are ignored. */
const form = /^(?!ff)([\da-f]{2})-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** Null for a context that is missing or malformed. `createTraceState` drops what is malformed in the state, or too long. */
function readContext({ traceparent, tracestate }: TraceContext): { context: Context; isRecorded: boolean } | null {
  const [, version, traceId, spanId, flags, more] = form.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || (version === '00' && more !== undefined)) return null;
  const context = trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: TraceFlags.SAMPLED,
    ...(tracestate ? { traceState: createTraceState(tracestate) } : {}),
  });
  return { context, isRecorded: (Number.parseInt(flags ?? '0', 16) & TraceFlags.SAMPLED) !== 0 };
}

const headerOf = (value: string | string[] | undefined): string | undefined =>
  Array.isArray(value) ? value.join(',') : value;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT', 'TRACE']);

/** A method of a caller, as a span shows it. */
export const methodOf = (method = ''): string => (methods.has(method) ? method : '_OTHER');

/** `route`: the template of the path. */
const nameOfRequest = (method: string, route: string): string => `${method} ${route}`;

/** For a gateway that finds the route after the span has begun. */
export function showRoute(span: Span | undefined, method: string, route: string): void {
  span?.updateName(nameOfRequest(methodOf(method), route)).setAttribute('http.route', route);
}

/**
 * The span of an HTTP request from outside. Whether it is recorded is decided by chance alone: a caller that decided it,
 * or that chose the number from which it is decided, could have every request recorded. From a caller's context come
 * only the ids.
 */
export function beginRequest(
  { traceparent, tracestate }: Record<string, string | string[] | undefined>,
  attributes: () => Attributes & { 'http.request.method': string; 'http.route': string },
): Span | undefined {
  const tracing = presentTracing();
  if (tracing === null || Math.random() >= tracing.ratio) return undefined;
  const given = readContext({ traceparent: headerOf(traceparent), tracestate: headerOf(tracestate) });
  const shown = attributes();
  const options = { kind: SpanKind.SERVER, attributes: shown };
  const name = nameOfRequest(shown['http.request.method'], shown['http.route']);
  return tracing.tracer.startSpan(name, options, given?.context ?? ROOT_CONTEXT);
}

export interface SpanFacts {
  name: string;
  kind: SpanKind;
  attributes: Attributes;
}

/** Work that no request causes, because it is due. It is recorded with the chance of a request, and begins a trace. */
export function beginWork(facts: () => SpanFacts): Span | undefined {
  const tracing = presentTracing();
  if (tracing === null || Math.random() >= tracing.ratio) return undefined;
  const { name, ...options } = facts();
  return tracing.tracer.startSpan(name, options, ROOT_CONTEXT);
}

/** Continues the trace of a message of another service, if it is recorded. */
export function continueTrace(from: TraceContext, facts: () => SpanFacts): Span | undefined {
  const tracing = presentTracing();
  if (tracing === null || from.traceparent === undefined) return undefined;
  const found = readContext(from);
  if (!found?.isRecorded) return undefined;
  const { name, ...options } = facts();
  return tracing.tracer.startSpan(name, options, found.context);
}

/** A part of the work of the active span. */
export function childSpan(facts: () => SpanFacts): Span | undefined {
  const parent = activeSpan();
  const tracing = presentTracing();
  if (parent === undefined || tracing === null) return undefined;
  const { name, ...options } = facts();
  return tracing.tracer.startSpan(name, options, trace.setSpan(ROOT_CONTEXT, parent));
}
