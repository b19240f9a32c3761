/** The traces of a service: off, unless a collector is set. */
import type { Logger } from '@ams/messaging';
import { startTracing, type RunningTracing, type SpanOutcome } from '@ams/tracing';
import type { Metrics } from './metrics.js';
import { collectorOf, type ServiceSettings } from './settings.js';

/** Null while they are off: then nothing is loaded, and there is no metric. */
export async function startTraces(
  service: string,
  settings: ServiceSettings,
  metrics: Metrics,
  log: Logger,
): Promise<RunningTracing | null> {
  const collector = collectorOf(settings);
  if (collector === null) return null;
  const spans = metrics.counter(
    'ams_trace_spans_total',
    'Spans that have ended, by outcome: exported, dropped (the queue was full), or failed (the collector did not accept ' +
      'them). There are none while traces are off.',
    ['outcome'],
  );
  for (const outcome of ['exported', 'dropped', 'failed'] satisfies SpanOutcome[]) spans.inc({ outcome }, 0);
  return startTracing({
    service,
    ...collector,
    ratio: settings.tracesRatio,
    count: (outcome, n) => spans.inc({ outcome }, n),
    failing: (code) =>
      code === null
        ? log.info({}, 'the collector accepts traces again')
        : log.warn({ code }, 'the collector does not accept traces; they are dropped'),
  });
}
