import { publicId, resolveAlert } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { eventOf, resolveOf, startPipeline, type Sender, type TestPipeline } from '../../testing/support.js';

let pipeline: TestPipeline;

beforeAll(async () => {
  pipeline = await startPipeline();
});

afterAll(() => pipeline?.stop());

const clientsOf = async (sender: Sender): Promise<Record<string, string | null>> =>
  Object.fromEntries(
    (await pipeline.alertsOf(sender)).map(({ fingerprint, client_id: client }) => [fingerprint, client]),
  );

describe('the client of an alert', () => {
  test('is that of its integration, else the one that the label names by slug, alias or external id', async () => {
    const sender = await pipeline.newSender();
    const acme = await pipeline.newClient(sender, 'acme', ['ACME Corp', 'CRM-0815', 'Größe & Co']);
    const other = await pipeline.newClient(sender, 'other');
    await pipeline.send(
      eventOf(sender, { fingerprint: 'integration', clientId: other, labels: { client: 'acme' } }),
      ...Object.entries({
        slug: 'acme',
        capitals: 'ACME',
        alias: 'acme corp',
        external: 'crm-0815',
        umlaut: 'GRÖßE & CO',
      }).map(([fingerprint, client]) => eventOf(sender, { fingerprint, labels: { client } })),
    );
    expect(await clientsOf(sender)).toEqual({
      integration: other,
      slug: acme,
      capitals: acme,
      alias: acme,
      external: acme,
      umlaut: acme,
    });
  });

  test('is null when no client of the tenant and environment has that name', async () => {
    const sender = await pipeline.newSender();
    const stranger = await pipeline.newSender();
    const inTest = await pipeline.newSender({ organizationId: sender.organizationId, environment: 'test' });
    const theirs = await pipeline.newClient(stranger, 'acme');
    const ofTest = await pipeline.newClient(inTest, 'staging');
    const named = (of: Sender, client: string) =>
      eventOf(of, { fingerprint: `${of.environment} ${client}`, labels: { client } });
    await pipeline.send(
      ...['acme', 'staging', 'nobody', ''].map((client) => named(sender, client)),
      eventOf(sender),
      named(stranger, 'acme'),
      named(inTest, 'staging'),
    );
    expect(await clientsOf(sender)).toEqual({
      'live acme': null,
      'live staging': null,
      'live nobody': null,
      'live ': null,
      cpu: null,
      'test staging': ofTest,
    });
    expect(await clientsOf(stranger)).toEqual({ 'live acme': theirs });
  });

  test('may be set by a later event, and stays when an event names none', async () => {
    const sender = await pipeline.newSender();
    await pipeline.send(eventOf(sender, { labels: { client: 'acme' } }));
    expect(await clientsOf(sender)).toEqual({ cpu: null });
    const acme = await pipeline.newClient(sender, 'acme');
    await pipeline.send(eventOf(sender, { labels: { client: 'acme' } }));
    expect(await clientsOf(sender)).toEqual({ cpu: acme });
    await pipeline.send(eventOf(sender), resolveOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'resolved', client_id: acme });
    await pipeline.send(eventOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing', client_id: null });
  });
});

describe('a client that is deleted', () => {
  const deleteClient = async (id: string): Promise<void> => {
    await pipeline.admin.query('DELETE FROM resources.client_names WHERE client_id = $1', [id]);
    await pipeline.admin.query('UPDATE resources.clients SET deleted_at = now() WHERE id = $1', [id]);
  };
  const leftOf = async (client: string): Promise<number> =>
    (
      await pipeline.admin.query<{ n: number }>(
        `SELECT (SELECT count(*) FROM alerts.alerts WHERE client_id = $1)::int
           + (SELECT count(*) FROM alerts.incidents WHERE client_id = $1)::int AS n`,
        [client],
      )
    ).rows[0]?.n ?? -1;
  const isGone = (client: string): Promise<void> => eventually(async () => expect(await leftOf(client)).toBe(0));

  /** Inserts `count` resolved incidents of the client, with the columns that the background work reads. */
  const insertIncidents = (sender: Sender, client: string, count: number): Promise<unknown> =>
    pipeline.admin.query(
      `INSERT INTO alerts.incidents (id, organization_id, environment, number, title, severity, status, client_id,
         assignee_ids, auto_resolve, alert_count, open_alert_count, triggered_at, resolved_at,
         created_at, updated_at, version)
       SELECT gen_random_uuid(), $1, $2, n, 'incident', 3, 'resolved', $3,
         '{}', false, 0, 0, now(), now(), now(), now(), 1
       FROM generate_series(1, $4::int) AS n`,
      [sender.organizationId, sender.environment, client, count],
    );

  test('is removed from all resolved alerts and incidents, and other clients stay', async () => {
    const sender = await pipeline.newSender();
    const acme = await pipeline.newClient(sender, 'acme');
    const other = await pipeline.newClient(sender, 'other');
    await pipeline.send(
      ...[acme, other].flatMap((clientId) => [
        eventOf(sender, { fingerprint: clientId, clientId }),
        resolveOf(sender, { fingerprint: clientId }),
      ]),
    );
    await pipeline.admin.query(
      `INSERT INTO alerts.alerts
       SELECT (jsonb_populate_record(a, jsonb_build_object('id', gen_random_uuid()))).*
       FROM alerts.alerts a, generate_series(1, 2100) WHERE client_id = $1`,
      [acme],
    );
    await insertIncidents(sender, acme, 1200);
    await deleteClient(acme);
    await isGone(acme);
    expect(await pipeline.alertOf(sender, acme)).toMatchObject({ client_id: null, status: 'resolved', version: 2 });
    expect(await leftOf(other)).toBe(1);
  });

  test('is removed from an alert that is opened for it after the deletion', async () => {
    const sender = await pipeline.newSender();
    const acme = await pipeline.newClient(sender, 'acme');
    await deleteClient(acme);
    await pipeline.send(eventOf(sender, { clientId: acme }));
    await isGone(acme);
    await pipeline.send(eventOf(sender));
    expect(await pipeline.alertOf(sender)).toMatchObject({ status: 'firing', client_id: null, occurrence_count: 2 });
    await pipeline.expectWholeTimeline(sender);
  });

  test('does not wait for locked rows: they are changed later', async () => {
    const sender = await pipeline.newSender();
    const acme = await pipeline.newClient(sender, 'acme');
    await pipeline.send(...['a', 'b', 'c'].map((fingerprint) => eventOf(sender, { fingerprint, clientId: acme })));
    const ids = (await pipeline.alertsOf(sender)).map(({ id }) => id);
    for (const id of ids)
      expect((await pipeline.call(sender, resolveAlert, { params: { id: publicId('alert', id) } })).ok).toBe(true);
    const holder = await pipeline.admin.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT 1 FROM alerts.alerts WHERE id = $1 FOR UPDATE', [ids[1]]);
      await deleteClient(acme);
      await eventually(async () => expect(await leftOf(acme)).toBe(1));
    } finally {
      await holder.query('COMMIT');
      holder.release();
    }
    await isGone(acme);
  });
});
