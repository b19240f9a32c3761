import { ingestStream, partitionsMetadata, type IngestBatch } from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { concurrently, eventually, streamManager } from '@ams/testing';
import { alert, post, startWorld, type World } from '../../testing/harness.js';

let world: World;
beforeEach(async () => {
  world = await startWorld();
});
afterEach(() => world.end());

/** How many requests were answered 503, by reason. */
async function notStored(url: string): Promise<Record<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const values = text.matchAll(/^ams_ingest_not_stored_total\{reason="(\w+)".*\} (\d+)$/gm);
  return Object.fromEntries([...values].map(([, reason, count]) => [reason, Number(count)]));
}

const many = (settings = presetSettings('generic')) => ({ settings: { ...settings, itemsPath: 'alerts' } });

it('stores concurrent requests in common messages, and no event is lost or stored twice', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '10000' });
  const { token } = await world.integration();
  const answers = await concurrently(300, 100, (n) => post(gateway.url, token, alert({ fingerprint: `f-${n}` })));
  expect(answers.every(({ status }) => status === 202)).toBe(true);
  const events = await world.events();
  expect(new Set(events.map(({ fingerprint }) => fingerprint)).size).toBe(300);
  expect(events).toHaveLength(300);
  expect((await world.batches<IngestBatch>(ingestStream)).length).toBeLessThan(300);
});

it('keeps the order of the events of one request, and of successive requests', async () => {
  const gateway = await world.gateway();
  const { token } = await world.integration(many());
  for (let round = 0; round < 5; round++) {
    const alerts = Array.from({ length: 900 }, (_, i) =>
      alert({ title: `${round * 900 + i}`, fingerprint: `f-${i % 7}` }),
    );
    expect((await post(gateway.url, token, { alerts })).status).toBe(202);
  }
  const events = await world.events();
  expect(events).toHaveLength(4500);
  for (let f = 0; f < 7; f++) {
    const titles = events.filter(({ fingerprint }) => fingerprint === `f-${f}`).map(({ title }) => Number(title));
    expect(titles).toEqual([...titles].sort((a, b) => a - b));
  }
});

it('never puts more into a message than 500 events or than NATS accepts', async () => {
  const gateway = await world.gateway();
  const { token } = await world.integration(many());
  const alerts = Array.from({ length: 1000 }, (_, i) =>
    alert({ fingerprint: 'one', description: 'x'.repeat(300), title: String(i) }),
  );
  expect((await post(gateway.url, token, { alerts })).status).toBe(202);
  const batches = await world.batches<IngestBatch>(ingestStream);
  expect(batches.flatMap(({ events }) => events)).toHaveLength(1000);
  for (const batch of batches) {
    expect(batch.events.length).toBeLessThanOrEqual(500);
    expect(JSON.stringify(batch).length).toBeLessThan(600_000);
  }
});

it('distributes events over the partitions that the stream defines', async () => {
  await world.gateway({ INGEST_PARTITIONS: '3' });
  const later = await world.gateway({ INGEST_PARTITIONS: '16' });
  const { token } = await world.integration(many());
  await post(later.url, token, { alerts: Array.from({ length: 200 }, (_, i) => alert({ fingerprint: String(i) })) });
  const info = await (await streamManager(world.connection)).streams.info(ingestStream, { subjects_filter: '>' });
  expect(info.config.metadata?.[partitionsMetadata]).toBe('3');
  expect(Object.keys(info.state.subjects ?? {}).sort()).toEqual([
    'ingest.events.0',
    'ingest.events.1',
    'ingest.events.2',
  ]);
});

it('answers 503 when the stream is full, and 202 again when there is room', async () => {
  const gateway = await world.gateway({ INGEST_STREAM_MAX_BYTES: String(1024 * 1024) });
  const { token } = await world.integration(many());
  const alerts = Array.from({ length: 400 }, (_, i) =>
    alert({ fingerprint: String(i), description: 'x'.repeat(1000) }),
  );
  const answers = [];
  for (let i = 0; i < 4; i++) answers.push(await post(gateway.url, token, { alerts }));
  const full = answers.at(-1)!;
  expect([full.status, full.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(full.headers.get('retry-after')).not.toBeNull();
  const refused = answers.filter(({ status }) => status === 503).length;
  expect(await notStored(gateway.managementUrl)).toEqual({ backlog: 0, timeout: 0, refused, disconnected: 0 });
  await (await streamManager(world.connection)).streams.purge(ingestStream);
  expect((await post(gateway.url, token, { alerts })).status).toBe(202);
});

it('answers 503 within a short time while NATS is disconnected, 401 to bad tokens, and recovers', async () => {
  const gateway = await world.gateway();
  const { token } = await world.integration();
  expect((await post(gateway.url, token, alert({ fingerprint: 'before' }))).status).toBe(202);
  await world.nats.kill();
  const started = performance.now();
  const away = await post(gateway.url, token, alert({ fingerprint: 'during' }));
  expect([away.status, away.body.code, away.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '2']);
  expect(performance.now() - started).toBeLessThan(8000);
  expect((await post(gateway.url, 'x'.repeat(32), alert())).status).toBe(401);
  expect((await fetch(`${gateway.managementUrl}/readyz`)).status).toBe(503);
  expect((await fetch(`${gateway.managementUrl}/healthz`)).status).toBe(200);
  await world.restart();
  await eventually(
    async () => expect((await post(gateway.url, token, alert({ fingerprint: 'after' }))).status).toBe(202),
    { everyMs: 100 },
  );
  await eventually(async () => expect((await fetch(`${gateway.managementUrl}/readyz`)).status).toBe(200));
  const fingerprints = (await world.events()).map(({ fingerprint }) => fingerprint);
  expect(fingerprints).toContain('before');
  expect(fingerprints).toContain('after');
});

it('loses no acknowledged event when NATS is killed under load', async () => {
  const gateway = await world.gateway({ INGEST_LIMIT_PER_MINUTE: '100000' });
  const { token } = await world.integration();
  const accepted: string[] = [];
  let stop = false;
  const load = Array.from({ length: 16 }, async (_, worker) => {
    for (let i = 0; !stop; i++) {
      const fingerprint = `${worker}-${i}`;
      if ((await post(gateway.url, token, alert({ fingerprint }))).status === 202) accepted.push(fingerprint);
    }
  });
  for (let round = 0; round < 3; round++) {
    const before = accepted.length;
    await eventually(() => accepted.length > before + 50);
    await world.nats.kill();
    await world.restart();
  }
  const before = accepted.length;
  await eventually(() => accepted.length > before + 50);
  stop = true;
  await Promise.all(load);
  const stored = new Set((await world.events()).map(({ fingerprint }) => fingerprint));
  expect(accepted.filter((fingerprint) => !stored.has(fingerprint))).toEqual([]);
});

it('answers 503 within a short time when NATS does not respond, also to later requests', async () => {
  const gateway = await world.gateway();
  const { token } = await world.integration();
  expect((await post(gateway.url, token, alert())).status).toBe(202);
  process.kill(world.nats.pid, 'SIGSTOP');
  try {
    const waves = await Promise.all(
      Array.from({ length: 8 }, async (_, i) => {
        await new Promise((resolve) => setTimeout(resolve, i * 200));
        const started = performance.now();
        const { status } = await post(gateway.url, token, alert({ fingerprint: String(i) }));
        return [status, performance.now() - started < 8000];
      }),
    );
    expect(waves).toEqual(Array(8).fill([503, true]));
  } finally {
    process.kill(world.nats.pid, 'SIGCONT');
  }
  await eventually(async () => expect((await post(gateway.url, token, alert())).status).toBe(202), { everyMs: 200 });
});

it('answers 503 at once when too many events wait for NATS, and a metric counts it', async () => {
  const gateway = await world.gateway({
    INGEST_PARTITIONS: '1',
    INGEST_BACKLOG_BYTES: String(1024 * 1024),
    INGEST_STORE_TIMEOUT_MS: '60000',
    INGEST_BYTES_PER_SECOND: String(1024 ** 3),
    INGEST_LIMIT_PER_MINUTE: '10000',
  });
  // Each has an organization of its own, so none of them waits for its turn.
  const integrations = await Promise.all(Array.from({ length: 20 }, () => world.integration(many())));
  const alerts = Array.from({ length: 400 }, (_, i) =>
    alert({ fingerprint: String(i), description: 'x'.repeat(1000) }),
  );
  let [stored, backlog, others] = [0, 0, 0];
  // NATS may be faster than the requests arrive, so they are sent until one comes too early.
  await eventually(async () => {
    const answers = await concurrently(60, 60, (n) => post(gateway.url, integrations[n % 20]!.token, { alerts }));
    for (const { status } of answers) {
      if (status === 202) stored++;
      else if (status === 503) backlog++;
      else others++;
    }
    return backlog > 0;
  });
  expect([others, stored > 0]).toEqual([0, true]);
  expect(await notStored(gateway.managementUrl)).toEqual({ backlog, timeout: 0, refused: 0, disconnected: 0 });
  const { token } = integrations[0]!;
  expect((await post(gateway.url, token, { alerts })).status).toBe(202);
});
