/**
 * Messages that are processed together belong to different traces. Each recorded one gets a span of its own, which lasts
 * as long as the work for all of them.
 */
import type { TraceContext } from '@ams/contracts';
import { traceContext } from './active-span.js';
import { continueTrace, type SpanFacts } from './begin-span.js';
import { endSpan, presentTracing, type Span } from './span.js';

/** The spans that `processTogether` has begun, by the context that their messages have meanwhile. */
const open = new Map<string, Span>();

/** The span of a message that is being processed. */
export const spanOf = ({ traceparent }: TraceContext): Span | undefined =>
  traceparent === undefined ? undefined : open.get(traceparent);

/** `work` gets the messages with the contexts of their spans. */
export function processTogether<Message extends TraceContext, T>(
  messages: readonly Message[],
  facts: (message: Message) => SpanFacts,
  work: (messages: readonly Message[]) => Promise<T>,
): Promise<T> {
  const isRecorded = presentTracing() !== null && messages.some(({ traceparent }) => traceparent !== undefined);
  return isRecorded ? withSpans(messages, facts, work) : work(messages);
}

async function withSpans<Message extends TraceContext, T>(
  messages: readonly Message[],
  facts: (message: Message) => SpanFacts,
  work: (messages: readonly Message[]) => Promise<T>,
): Promise<T> {
  const spans = messages.map((message) => continueTrace(message, () => facts(message)));
  const contexts = spans.map((span) => traceContext(span ?? undefined));
  spans.forEach((span, index) => span && open.set(contexts[index]?.traceparent ?? '', span));
  let failure: { error: unknown } | undefined;
  try {
    return await work(messages.map((message, index) => (spans[index] ? { ...message, ...contexts[index] } : message)));
  } catch (error) {
    failure = { error };
    throw error;
  } finally {
    for (const { traceparent } of contexts) open.delete(traceparent ?? '');
    for (const span of spans) endSpan(span, failure);
  }
}
