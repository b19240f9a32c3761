/** Errors of the database, and half-open connections: no page is lost, and none is sent twice. */
import { alertEventsStream, alertEventsSubject, uuidOf } from '@ams/contracts';
import { eventually, startTcpProxy, type TcpProxy } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { email, notify, outcomes, startWorld, type Tenant, type TestWorld } from '../../testing/support.js';

let world: TestWorld;
let tenant: Tenant;

beforeAll(async () => {
  world = await startWorld();
  await world.admin.query('CREATE SEQUENCE workflows.failures; GRANT USAGE, SELECT ON workflows.failures TO PUBLIC');
}, 60_000);
afterAll(() => world?.stop());

beforeEach(async () => {
  tenant = await world.newTenant();
  await world.startReplica();
});
afterEach(async () => {
  await recover();
  await world.stopReplicas();
});

const page = notify([email('ops@example.com')]);

/** Inserting into the table fails with this SQLSTATE while the condition holds. */
async function failWith(code: string, table = 'workflows.considered', condition = 'true'): Promise<void> {
  await world.admin.query('ALTER SEQUENCE workflows.failures RESTART');
  await world.admin.query(
    `CREATE OR REPLACE FUNCTION workflows.fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       IF ${condition} THEN
         PERFORM nextval('workflows.failures');
         RAISE 'a test' USING ERRCODE = '${code}';
       END IF;
       RETURN NEW;
     END $$;
     CREATE TRIGGER fails BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION workflows.fail()`,
  );
}

async function recover(): Promise<void> {
  await world.admin.query('DROP FUNCTION IF EXISTS workflows.fail() CASCADE');
}

const hasFailed = (times: number): Promise<unknown> =>
  eventually(async () => {
    const { rows } = await world.admin.query<{ n: number }>('SELECT last_value::int AS n FROM workflows.failures');
    expect(rows[0]?.n).toBeGreaterThan(times);
  });

const setAside = async () =>
  (
    await world.admin.query<{ id: string; subject: string; payload: string; tries: number; error: string }>(
      'SELECT id, subject, payload, tries, error FROM workflows.set_aside WHERE replayed_at IS NULL ORDER BY created_at',
    )
  ).rows;

/** NATS delivers the next message this often, and nobody processes it. */
async function deliverAndFail(times: number): Promise<void> {
  const consumer = await jetstream(world.nats).consumers.get(alertEventsStream, 'workflow-engine');
  for (let i = 0; i < times; i++) (await consumer.next({ expires: 5000 }))?.nak();
}

test.each(['25006', '40P01', '53200', '58030', 'XX000'])(
  'while the database fails with %s, an event is never set aside, however often it was delivered',
  async (code) => {
    await world.newWorkflow(tenant, [page]);
    const alertId = await world.newAlert(tenant);
    await world.stopReplicas();
    await world.publishEvent(tenant, 'alert.created', alertId);
    await deliverAndFail(40);
    await failWith(code);
    await world.startReplica();
    await hasFailed(1);
    await recover();
    expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
    expect(await setAside()).toEqual([]);
  },
  60_000,
);

test('an event that is at fault is set aside; its neighbours page; a replay pages', async () => {
  await world.newWorkflow(tenant, [page]);
  const events = [];
  for (let i = 0; i < 3; i++) events.push(await world.eventOf(tenant, 'alert.created', await world.newAlert(tenant)));
  const bad = uuidOf('timelineEntry', events[1]?.id ?? '') as string;
  await failWith('22001', 'workflows.considered', `NEW.event_id = '${bad}'`);
  await world.publish(...events);
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(2));
  await eventually(async () => expect(await setAside()).toHaveLength(1));
  const [row] = await setAside();
  expect(row).toMatchObject({ id: bad, tries: 1, error: expect.stringContaining('a test') });
  const replay = () => jetstream(world.nats).publish(row?.subject ?? '', row?.payload ?? '');

  await world.admin.query('UPDATE workflows.set_aside SET replayed_at = now()');
  await replay();
  await eventually(async () => expect(await setAside()).toMatchObject([{ id: bad, tries: 2 }]));

  await recover();
  await world.admin.query('UPDATE workflows.set_aside SET replayed_at = now()');
  await replay();
  await replay();
  await eventually(async () => expect(await world.notificationsOf(tenant)).toHaveLength(3));
  expect(await world.runsOf(tenant)).toHaveLength(3);
});

test('a message without events is set aside', async () => {
  await world.admin.query('DELETE FROM workflows.set_aside');
  await jetstream(world.nats).publish(alertEventsSubject(0), 'not json');
  await jetstream(world.nats).publish(alertEventsSubject(0), '{"events":[{"id":"x"},null]}');
  await eventually(async () =>
    expect((await setAside()).map(({ payload }) => payload)).toEqual([
      'not json',
      '{"events":[{"id":"x"}]}',
      '{"events":[{"id":"x"},null]}',
    ]),
  );
  await world.admin.query('DELETE FROM workflows.set_aside');
});

test('a job that fails with an unknown error of the database is repeated without end', async () => {
  await failWith('58030', 'workflows.notifications');
  await world.newWorkflow(tenant, [page]);
  await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
  for (let i = 1; i < 4; i++) {
    await hasFailed(i);
    // The pauses in between would take too long.
    await eventually(async () => {
      const { rowCount } = await world.admin.query(
        `UPDATE workflow_jobs._private_jobs SET attempts = 4, run_at = now()
         WHERE last_error IS NOT NULL AND locked_at IS NULL`,
      );
      expect(rowCount).toBe(1);
    });
  }
  expect(await world.run(tenant, 'running')).toMatchObject({ results: [] });
  await recover();
  expect(outcomes(await world.run(tenant, 'completed'))).toEqual(['page done']);
  expect(await world.notificationsOf(tenant)).toHaveLength(1);
});

describe('half-open connections', () => {
  let proxy: TcpProxy;
  beforeEach(async () => {
    await world.stopReplicas();
    proxy = await startTcpProxy(world.databaseUrl);
    const direct = world.databaseUrl;
    world.databaseUrl = proxy.through(direct);
    await world.startReplica({ DATABASE_TIMEOUT_MS: '1000' });
    world.databaseUrl = direct;
  });
  afterEach(async () => {
    proxy.cut();
    await world.stopReplicas();
    await proxy.stop();
  });

  test.each([
    ['at a commit', 'COMMIT'],
    ['while jobs are fetched', 'get_job'],
    ['while jobs are completed', 'complete_job'],
    ['all at once', undefined],
  ])(
    '%s: every page is sent once',
    async (_name, statement) => {
      await world.newWorkflow(tenant, [page]);
      for (let i = 1; i < 4; i++) {
        proxy.silence(statement);
        await world.publishEvent(tenant, 'alert.created', await world.newAlert(tenant));
        await eventually(async () =>
          expect((await world.notificationsOf(tenant)).map(({ status }) => status)).toEqual(Array(i).fill('sent')),
        );
      }
      expect(await world.runsOf(tenant)).toHaveLength(3);
    },
    120_000,
  );
});
