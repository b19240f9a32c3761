/** Errors of the database, and half-open connections: no event is lost, and no partition stops. */
import { ingestSubject } from '@ams/contracts';
import { partitionOf } from '@ams/domain';
import { eventually, startTcpProxy, type TcpProxy } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { eventOf, partitions, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;
let sender: Sender;
let proxies: TcpProxy[] = [];

beforeAll(async () => {
  pipeline = await startPipeline();
  await pipeline.admin.query('CREATE SEQUENCE alerts.failures; GRANT USAGE, SELECT ON alerts.failures TO PUBLIC');
});
afterAll(() => pipeline?.stop());

beforeEach(async () => {
  sender = await pipeline.newSender();
});
afterEach(async () => {
  await pipeline.admin.query(
    'DROP TRIGGER IF EXISTS fails ON alerts.alerts; DROP TRIGGER IF EXISTS fails ON alerts.replicas',
  );
  for (const proxy of proxies) proxy.cut();
  await pipeline.stopReplicas();
  for (const proxy of proxies) await proxy.stop();
  proxies = [];
  await pipeline.startReplica();
});

/** New rows of the table fail with this SQLSTATE while the condition holds. */
async function failWith(code: string, condition = 'true', table = 'alerts.alerts'): Promise<void> {
  await pipeline.admin.query('ALTER SEQUENCE alerts.failures RESTART');
  await pipeline.admin.query(
    `CREATE OR REPLACE FUNCTION alerts.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF ${condition} THEN
         PERFORM nextval('alerts.failures');
         RAISE 'a test' USING ERRCODE = '${code}';
       END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER fails BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION alerts.fail()`,
  );
}

const failures = async (): Promise<number> =>
  (await pipeline.admin.query<{ n: number }>('SELECT last_value::int AS n FROM alerts.failures')).rows[0]?.n ?? 0;

const setAside = async (): Promise<string[]> =>
  (
    await pipeline.admin.query<{ payload: string }>('SELECT payload FROM alerts.set_aside WHERE organization_id = $1', [
      sender.organizationId,
    ])
  ).rows.map(({ payload }) => (JSON.parse(payload) as { events: { title: string }[] }).events[0]?.title ?? '');

const storeTogether = (...events: ReturnType<typeof eventOf>[]): Promise<unknown> =>
  jetstream(pipeline.nats).publish(
    ingestSubject(partitionOf(sender.organizationId, 'live', events[0]?.fingerprint ?? '', partitions)),
    JSON.stringify({ events }),
  );

test.each(['25006', '40P01', '42P01', '53200', '58030', 'P0001', 'XX000'])(
  'while the database fails with %s, events wait, and none is set aside',
  async (code) => {
    await failWith(code);
    await pipeline.store(eventOf(sender), eventOf(sender, { fingerprint: 'memory' }));
    // More than before any limit on tries; a deadlock is repeated four times at once.
    const often = code === '40P01' ? 40 : 8;
    await eventually(async () => expect(await failures()).toBeGreaterThan(often));
    await pipeline.admin.query('DROP TRIGGER fails ON alerts.alerts');
    await pipeline.applied(sender, 2);
    expect(await setAside()).toEqual([]);
  },
);

test('while the database is read-only, events wait, and none is set aside', async () => {
  const readOnly = async (on: boolean): Promise<void> => {
    await pipeline.admin.query(
      `ALTER DATABASE ${pipeline.databaseName} SET default_transaction_read_only = ${on ? 'on' : 'off'}`,
    );
    await pipeline.admin.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND usename = 'ams_alert_pipeline'`,
    );
  };
  await readOnly(true);
  await pipeline.store(eventOf(sender), eventOf(sender, { fingerprint: 'memory' }));
  await new Promise((resolve) => setTimeout(resolve, 2000));
  expect(await pipeline.alertsOf(sender)).toEqual([]);
  await pipeline.admin.query('SET default_transaction_read_only = off');
  await readOnly(false);
  await pipeline.applied(sender, 2);
  expect(await setAside()).toEqual([]);
});

test('an event that is set aside by the second transaction is counted once', async () => {
  const counted = async (): Promise<number> => {
    const text = await (await fetch(`http://127.0.0.1:${replica.port}/metrics`)).text();
    return Number(/^ams_pipeline_set_aside_total\{.*\} (.*)$/m.exec(text)?.[1]);
  };
  await pipeline.stopReplicas();
  const replica = await pipeline.startReplica();
  await failWith('23514', "NEW.title = 'bad'");
  await pipeline.admin.query(
    `CREATE SEQUENCE alerts.asides; GRANT USAGE ON alerts.asides TO PUBLIC;
     CREATE FUNCTION alerts.fail_once() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF nextval('alerts.asides') = 1 THEN RAISE 'a test' USING ERRCODE = '58030'; END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER fails_once AFTER INSERT ON alerts.set_aside FOR EACH ROW EXECUTE FUNCTION alerts.fail_once()`,
  );
  await pipeline.store(eventOf(sender, { title: 'bad' }), eventOf(sender, { fingerprint: 'good' }));
  await pipeline.applied(sender, 1);
  await eventually(async () => expect(await setAside()).toEqual(['bad']));
  await eventually(async () => expect(await counted()).toBe(1));
  await pipeline.admin.query('DROP TRIGGER fails_once ON alerts.set_aside');
});

test.each(['22001', '23514'])(
  'an event that fails with %s is set aside, and its neighbours are applied',
  async (code) => {
    await failWith(code, `NEW.fingerprint = 'bad'`);
    await storeTogether(
      eventOf(sender, { fingerprint: 'one' }),
      eventOf(sender, { fingerprint: 'bad', title: 'Bad' }),
      eventOf(sender, { fingerprint: 'two' }),
    );
    await pipeline.applied(sender, 2);
    await eventually(async () => expect(await setAside()).toEqual(['Bad']));
    expect((await pipeline.alertsOf(sender)).map(({ fingerprint }) => fingerprint).sort()).toEqual(['one', 'two']);
    await pipeline.expectCorrectCounts(sender);
  },
);

test('an event that fails in a batch and succeeds alone is applied', async () => {
  await failWith('23505', `(SELECT last_value FROM alerts.failures) < 2 AND NEW.fingerprint = 'bad'`);
  await storeTogether(eventOf(sender, { fingerprint: 'one' }), eventOf(sender, { fingerprint: 'bad' }));
  await pipeline.applied(sender, 2);
  expect(await setAside()).toEqual([]);
});

async function through(url: string): Promise<TcpProxy> {
  const proxy = await startTcpProxy(url);
  proxies.push(proxy);
  return proxy;
}

test.each(['advance', 'COMMIT'])(
  'a partition whose connection becomes half-open at %s continues on another one',
  async (statement) => {
    const proxy = await through(pipeline.urls.database);
    await pipeline.stopReplicas();
    await pipeline.startReplica({ databaseUrl: proxy.through(pipeline.urls.database), databaseTimeoutMs: 1000 });
    await pipeline.store(eventOf(sender));
    await pipeline.applied(sender, 1);
    for (let i = 2; i < 6; i++) {
      proxy.silence(statement);
      await pipeline.store(eventOf(sender));
      await pipeline.applied(sender, i);
    }
    expect(proxy.silenced).toBeGreaterThan(0);
    expect(await pipeline.alertsOf(sender)).toMatchObject([{ occurrence_count: 5 }]);
  },
  60_000,
);

test.each([
  ['although it renews other leases', 'false', 1],
  // A failure takes a second number of the sequence. A lease is renewed four times in its length. When half of that
  // fails and the machine is busy, the renewals of a lease of one second come too late, and it ends before the stall.
  ['although each second renewal of its leases fails', `nextval('alerts.failures') % 3 = 1`, 3],
])(
  'partitions whose replica makes no progress are taken over, %s',
  async (_what, renewalsFail, leaseSeconds) => {
    const proxy = await through(pipeline.urls.database);
    await pipeline.stopReplicas();
    const stalled = await pipeline.startReplica({
      databaseUrl: proxy.through(pipeline.urls.database),
      databaseTimeoutMs: 1000,
      leaseSeconds,
    });
    const ready = async (port: number) => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
    await pipeline.store(eventOf(sender));
    await pipeline.applied(sender, 1);
    expect(await ready(stalled.port)).toBe(200);
    const holders = async (): Promise<string[]> =>
      (
        await pipeline.admin.query<{ holder: string }>(
          'SELECT DISTINCT holder FROM alerts.partitions WHERE held_until > now()',
        )
      ).rows.map(({ holder }) => holder);
    const [stalledId] = await holders();
    const healthy = await pipeline.startReplica({ leaseSeconds });
    await eventually(async () => expect(await holders()).toHaveLength(2));

    await failWith('57014', `NEW.id = '${stalledId}' AND ${renewalsFail}`, 'alerts.replicas');
    // Every connection on which the replica applies a batch becomes half-open. Its other connections work.
    proxy.silenceEach('advance');
    await pipeline.store(...Array.from({ length: 40 }, (_, i) => eventOf(sender, { fingerprint: `f${i}` })));
    await eventually(async () => expect(await ready(stalled.port)).toBe(503));
    await pipeline.applied(sender, 41);
    expect(await ready(healthy.port)).toBe(200);
    expect((await fetch(`http://127.0.0.1:${stalled.port}/livez`)).status).toBe(200);

    await pipeline.admin.query('DROP TRIGGER fails ON alerts.replicas');
    proxy.silenceEach(null);
    await eventually(async () => expect(await holders()).toHaveLength(2));
    await eventually(async () => expect(await ready(stalled.port)).toBe(200));
  },
  90_000,
);
