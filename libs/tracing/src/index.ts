export {
  activeSpan,
  inSpan,
  keepSpan,
  ownSpan,
  spanInLog,
  traceContext,
  withTraceContext,
  within,
} from './active-span.js';
export {
  beginRequest,
  beginWork,
  childSpan,
  continueTrace,
  methodOf,
  showRoute,
  type SpanFacts,
} from './begin-span.js';
export { processTogether, spanOf } from './process-together.js';
export { endSpan, failSpan, isTracing, refuseSpan, SpanKind, type Attributes, type Span } from './span.js';
export { startTracing, type RunningTracing, type SpanOutcome, type TracingOptions } from './start-tracing.js';
