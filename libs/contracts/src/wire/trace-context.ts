/**
 * The trace that a message belongs to, in the form of W3C Trace Context (https://www.w3.org/TR/trace-context/). A message
 * has it only when its trace is recorded.
 */
export interface TraceContext {
  traceparent?: string | undefined;
  tracestate?: string | undefined;
}
