import type { ReadableSpan } from '@opentelemetry/sdk-trace';
import { setImmediate as turn } from 'node:timers/promises';
import { SpanQueue, type SpanQueueOptions } from './span-queue.js';

type Done = Parameters<SpanQueueOptions['exporter']['export']>[1];

/** A collector that answers when the test says so. */
function openQueue(more: Partial<SpanQueueOptions> = {}) {
  const exports: { spans: number; done: Done }[] = [];
  const counts = { exported: 0, dropped: 0, failed: 0 };
  const codes: (string | null)[] = [];
  const queue = new SpanQueue({
    exporter: { export: (spans, done) => void exports.push({ spans: spans.length, done }) },
    exportMs: 60_000,
    count: (outcome, n) => void (counts[outcome] += n),
    failing: (code) => void codes.push(code),
    most: 10,
    batch: 4,
    gatherMs: 60_000,
    ...more,
  });
  const end = (n: number): void => {
    for (let i = 0; i < n; i++) queue.onEnd({} as ReadableSpan);
  };
  return { queue, exports, counts, codes, end };
}

const accepted = { code: 0 };
const refused = (code: number | string) => ({ code: 1, error: Object.assign(new Error('its text'), { code }) });

it('exports one batch at a time, and drops and counts what has no room meanwhile', async () => {
  const { exports, counts, end } = openQueue();
  end(20);
  expect(exports.map(({ spans }) => spans)).toEqual([4]);
  expect(counts).toEqual({ exported: 0, dropped: 6, failed: 0 });
  exports[0]?.done(accepted);
  while (exports.length < 2) await turn();
  expect(counts.exported).toBe(4);
  exports[1]?.done(accepted);
});

it('tells once that the collector fails, and once that it accepts again', async () => {
  const { exports, counts, codes, end } = openQueue({ batch: 1 });
  for (const [n, result] of [refused(503), refused('ECONNREFUSED'), accepted, accepted].entries()) {
    end(1);
    exports[n]?.done(result);
    while (counts.exported + counts.failed <= n) await turn();
    await turn();
  }
  expect(counts).toEqual({ exported: 2, dropped: 0, failed: 2 });
  expect(codes).toEqual(['503', null]);
});

it('an export without a result has failed after its time, and the next one begins', async () => {
  const { exports, counts, codes, end } = openQueue({ exportMs: -1000 });
  end(8);
  while (exports.length < 2) await turn();
  expect(counts.failed).toBe(4);
  expect(codes).toEqual(['TIMEOUT']);
});

it('an exporter that throws ends nothing', async () => {
  const fails = () => {
    throw new Error('no');
  };
  const { queue, counts, codes, end } = openQueue({ exporter: { export: fails } });
  end(3);
  await queue.flush(60_000);
  expect(counts.failed).toBe(3);
  expect(codes).toEqual(['Error']);
});

it('a flush exports what waits, and drops it when its time is over', async () => {
  const { queue, exports, counts, end } = openQueue();
  end(3);
  const flushed = queue.flush(60_000);
  exports[0]?.done(accepted);
  await flushed;
  expect(counts).toEqual({ exported: 3, dropped: 0, failed: 0 });
  end(6);
  await queue.flush(0);
  expect(exports.map(({ spans }) => spans)).toEqual([3, 4]);
  expect(counts.dropped).toBe(2);
});
