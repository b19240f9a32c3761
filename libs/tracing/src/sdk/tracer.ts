/** The tracer of OpenTelemetry's SDK, and its exporter. Only `startTracing` imports this. */
import type { Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import { randomUUID } from 'node:crypto';
import type { TracingOptions } from '../start-tracing.js';
import { SpanQueue } from './span-queue.js';

/** Of one export, with its repetitions. */
const exportMs = 10_000;
/** More than any attribute of ours has. */
const longestValue = 256;

export function openTracer({ service, url, headers, attributes, ...watch }: TracingOptions): {
  tracer: Tracer;
  flush: (timeoutMs: number) => Promise<void>;
} {
  const exporter = new OTLPTraceExporter({ url, headers, timeoutMillis: exportMs });
  const queue = new SpanQueue({ exporter, exportMs, ...watch });
  const provider = new TracerProvider({
    // Whether a trace is recorded is decided before its first span begins (begin-span.ts).
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: longestValue },
    resource: defaultResource().merge(
      resourceFromAttributes({ ...attributes, 'service.name': service, 'service.instance.id': randomUUID() }),
    ),
    spanProcessors: [queue],
  });
  return { tracer: provider.getTracer('alert-management-service'), flush: (timeoutMs) => queue.flush(timeoutMs) };
}
