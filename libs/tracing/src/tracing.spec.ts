import { AlwaysOnSampler, InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { setTimeout as pause } from 'node:timers/promises';
import {
  activeSpan,
  beginRequest,
  beginWork,
  childSpan,
  continueTrace,
  endSpan,
  inSpan,
  keepSpan,
  methodOf,
  ownSpan,
  processTogether,
  spanInLog,
  SpanKind,
  spanOf,
  traceContext,
  withTraceContext,
  within,
  type Span,
} from './index.js';
import { setTracing } from './span.js';

const exporter = new InMemorySpanExporter();
const provider = new TracerProvider({
  sampler: new AlwaysOnSampler(),
  spanProcessors: [new SimpleSpanProcessor({ exporter })],
});
const record = (ratio: number): void => setTracing({ tracer: provider.getTracer('test'), ratio });

beforeEach(() => {
  exporter.reset();
  record(1);
});
afterAll(() => setTracing(null));

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;
const attributes = () => ({ 'http.request.method': 'GET', 'http.route': '/things/:id' });
const facts = { name: 'work', kind: SpanKind.INTERNAL, attributes: {} };
const begun = (headers: Record<string, string | string[]>): Span => beginRequest(headers, attributes) as Span;
const parentOf = (span: Span): unknown =>
  (span as unknown as { parentSpanContext?: { spanId: string } }).parentSpanContext;

describe('a request from outside', () => {
  it.each([
    ['recorded', traceparent],
    ['not recorded', `00-${traceId}-${spanId}-00`],
    ['of a later version', `01-${traceId}-${spanId}-01-more`],
  ])('continues a context that is %s', (_name, given) => {
    const span = begun({ traceparent: given });
    expect(span.spanContext().traceId).toBe(traceId);
    expect(parentOf(span)).toMatchObject({ spanId, isRemote: true });
  });

  it.each([
    ['', `00-${'0'.repeat(32)}-${spanId}-01`],
    ['', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['', `ff-${traceId}-${spanId}-01`],
    ['', `${traceparent}-more`],
    ['', traceparent.toUpperCase()],
    ['', `${traceparent}, ${traceparent}`],
    ['', [traceparent, traceparent]],
    ['', 'x'.repeat(10_000)],
  ])('begins a new trace with a malformed context %#', (_name, given) => {
    const span = begun({ traceparent: given, tracestate: 'caller=1' });
    expect(span.spanContext()).toMatchObject({ traceId: expect.not.stringMatching(traceId), traceState: undefined });
    expect(parentOf(span)).toBeUndefined();
  });

  it('keeps the state of its caller, unless that is malformed or too long', () => {
    const stateOf = (tracestate: string) => traceContext(begun({ traceparent, tracestate })).tracestate;
    expect(stateOf('a=1,b=2')).toBe('a=1,b=2');
    expect(stateOf(`a=${'x'.repeat(600)}`)).toBeUndefined();
    expect(stateOf('a=1\u0000')).toBeUndefined();
  });

  it('is recorded by chance alone, whatever its caller says', () => {
    record(0);
    for (let n = 0; n < 200; n++) expect(beginRequest({ traceparent }, attributes)).toBeUndefined();
    record(0.5);
    const recorded = Array.from({ length: 2000 }, () => beginRequest({ traceparent }, attributes)).filter(
      Boolean,
    ).length;
    expect(recorded).toBeGreaterThan(800);
    expect(recorded).toBeLessThan(1200);
  });

  it('shows its route and a known method', () => {
    endSpan(begun({}));
    expect(exporter.getFinishedSpans()[0]).toMatchObject({ name: 'GET /things/:id', kind: SpanKind.SERVER });
    expect(['GET', 'BREW', undefined].map(methodOf)).toEqual(['GET', '_OTHER', '_OTHER']);
  });
});

describe('a message of another service', () => {
  it('continues its trace only when that is recorded', () => {
    expect(continueTrace({ traceparent }, () => facts)?.spanContext().traceId).toBe(traceId);
    expect(continueTrace({ traceparent: `00-${traceId}-${spanId}-00` }, () => facts)).toBeUndefined();
    expect(continueTrace({ traceparent: 'none' }, () => facts)).toBeUndefined();
    expect(continueTrace({}, () => facts)).toBeUndefined();
  });

  it('passes the context of its span on', () => {
    const span = begun({ traceparent, tracestate: 'a=1' });
    const expected = { traceparent: `00-${traceId}-${span.spanContext().spanId}-01`, tracestate: 'a=1' };
    within(span, () => {
      expect(withTraceContext({ n: 1 })).toEqual({ n: 1, ...expected });
      expect(spanInLog()).toEqual({ trace_id: traceId, span_id: span.spanContext().spanId });
    });
    const message = { n: 1 };
    expect(withTraceContext(message)).toBe(message);
    expect(spanInLog()).toEqual({});
  });

  it('has the code of an error, never its text', async () => {
    const failing = (error: unknown): Promise<void> =>
      inSpan(
        continueTrace({ traceparent }, () => facts),
        async () => {
          await pause(0);
          throw error;
        },
      ).catch(() => undefined);
    await failing(Object.assign(new Error('a secret'), { code: 'NOT_FOUND' }));
    await failing(Object.assign(new TypeError('a secret'), { code: 'a secret' }));
    await failing('a secret');
    const spans = exporter.getFinishedSpans();
    expect(spans.map((span) => span.attributes['error.type'])).toEqual(['NOT_FOUND', 'TypeError', 'unknown']);
    expect(JSON.stringify(spans.map(({ status, events, attributes: of }) => [status, events, of]))).not.toContain(
      'secret',
    );
  });
});

describe('work that is done together', () => {
  it('has a span for each recorded message, in its trace', async () => {
    const other = '1af7651916cd43dd8448eb211c80319c';
    const messages = [{ n: 1, traceparent }, { n: 2 }, { n: 3, traceparent: `00-${other}-${spanId}-01` }];
    const seen = await processTogether(
      messages,
      ({ n }) => ({ ...facts, name: `message ${n}` }),
      async (traced) => {
        await pause(0);
        return traced.map((one) => within(spanOf(one), () => traceContext()));
      },
    );
    const spans = exporter.getFinishedSpans();
    expect(spans.map((span) => [span.name, span.spanContext().traceId])).toEqual([
      ['message 1', traceId],
      ['message 3', other],
    ]);
    expect(seen.map((context) => context.traceparent?.slice(3, 35))).toEqual([traceId, undefined, other]);
    expect(spanOf(seen[0] ?? {})).toBeUndefined();
  });

  it('belongs to the span of each one, not to that of the first', () => {
    const [first, second] = [{ name: 'first' }, { name: 'second' }];
    const span = begun({});
    within(span, () => {
      keepSpan(first);
      expect(within(ownSpan(second), activeSpan)).toBeUndefined();
      expect(within(ownSpan(first), activeSpan)).toBe(span);
    });
  });

  it('that continues after a request belongs to it no longer', async () => {
    const span = begun({});
    const after = within(span, async () => {
      await pause(5);
      return activeSpan();
    });
    endSpan(span);
    expect(await after).toBeUndefined();
  });
});

it('work that is due begins a trace, with the chance of a request', () => {
  const span = beginWork(() => facts) as Span;
  expect(parentOf(span)).toBeUndefined();
  record(0);
  expect(beginWork(() => facts)).toBeUndefined();
});

it('while traces are off nothing is recorded', async () => {
  const span = begun({});
  setTracing(null);
  const never = (): never => {
    throw new Error('called');
  };
  expect(beginRequest({ traceparent }, never)).toBeUndefined();
  expect(continueTrace({ traceparent }, never)).toBeUndefined();
  expect(beginWork(never)).toBeUndefined();
  expect(within(span, () => [activeSpan(), childSpan(never), traceContext(), spanInLog()])).toEqual([
    undefined,
    undefined,
    {},
    {},
  ]);
  const messages = [{ traceparent }];
  expect(await processTogether(messages, never, async (same) => same === messages)).toBe(true);
});
