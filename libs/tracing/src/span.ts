/**
 * Spans, without the packages that export them: `@opentelemetry/api` alone. What a span shows is written here and at the
 * places that begin spans, never by a library that looks into requests. So it holds no body, credential or address.
 */
import { SpanStatusCode, type Span, type Tracer } from '@opentelemetry/api';

export { SpanKind, type Attributes, type Span } from '@opentelemetry/api';

/** What is set while traces are on. */
export interface Tracing {
  tracer: Tracer;
  /** The part of the requests without a recorded trace that are recorded, 0 to 1. */
  ratio: number;
}

let present: Tracing | null = null;

/** Null while traces are off. */
export const presentTracing = (): Tracing | null => present;

export const isTracing = (): boolean => present !== null;

export function setTracing(tracing: Tracing | null): void {
  present = tracing;
}

const codeForm = /^[A-Z0-9_]{2,40}$/;

/** A code of a fault, of PostgreSQL or of the system, or the name of the class. The text of an error may hold anything. */
export function codeOfError(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && codeForm.test(code)) return code;
  return error instanceof Error && typeof name === 'string' ? name.slice(0, 40) : 'unknown';
}

/** The work was refused because of its caller. This is no failure. `code`: of a fault. */
export function refuseSpan(span: Span | undefined, code: string): void {
  span?.setAttribute('error.type', code);
}

export function failSpan(span: Span | undefined, code: string): void {
  span?.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR });
}

export function endSpan(span: Span | undefined, failure?: { error: unknown }): void {
  if (!span) return;
  if (failure) failSpan(span, codeOfError(failure.error));
  span.end();
}
