import {
  createClient,
  createIntegration,
  deleteClient,
  deleteIntegration,
  getClient,
  listClients,
  publicId,
  updateClient,
  updateIntegration,
  uuidOf,
  type Client,
  type Integration,
  type Noun,
  type PostClient,
  type Principal,
  type PutClient,
} from '@ams/contracts';
import { dataOf, eventually, insertAlert, insertIncident, insertSuppressionWindow, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';
import { type AlertStatus } from '@ams/domain';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

let serial = 0;
const call = (body: object, principal = me) => api.callAs(principal, createClient, { body });
const create = async (body: Partial<PostClient> = {}, principal = me): Promise<Client> =>
  dataOf(await call({ name: `Client ${++serial}`, ...body }, principal));
const get = async (id: string): Promise<Client> => dataOf(await api.callAs(me, getClient, { params: { id } }));
const put = (id: string, body: PutClient, ifMatch: string | null = null) =>
  api.callAs(me, updateClient, { params: { id }, body, ifMatch });
const remove = (id: string, ifMatch: string | null = null) => api.callAs(me, deleteClient, { params: { id }, ifMatch });
const integration = async (clientId: string, name = 'Prometheus EU'): Promise<Integration> =>
  dataOf(await api.callAs(me, createIntegration, { body: { name, clientId } }));
const uuid = (id: string, noun: Noun = 'client'): string => uuidOf(noun, id) as string;

const newAlert = (clientId: string | null, status: AlertStatus = 'firing'): Promise<string> =>
  insertAlert(api.admin, me, { clientId: clientId && uuid(clientId), status });
const newIncident = (clientId: string): Promise<string> => insertIncident(api.admin, me, { clientId: uuid(clientId) });
const newWindow = (clientIds: string[]): Promise<string> =>
  insertSuppressionWindow(api.admin, me, { name: 'Sunday patching', clientIds: clientIds.map((id) => uuid(id)) });

describe('open alerts', () => {
  it('are counted, without those that are resolved', async () => {
    const [busy, idle] = [await create({ name: 'Busy and open' }), await create({ name: 'Idle and open' })];
    await newAlert(busy.id);
    await newAlert(busy.id, 'acknowledged');
    await newAlert(busy.id, 'resolved');
    await newAlert(null);
    expect((await get(busy.id)).openAlertCount).toBe(2);
    const page = pageOf<Client>(await api.callAs(me, listClients, { query: { q: 'and open' } }));
    expect(page.data.map(({ id, openAlertCount }) => [id, openAlertCount])).toEqual([
      [busy.id, 2],
      [idle.id, 0],
    ]);
    expect(dataOf(await put(busy.id, { description: 'still busy' }))).toMatchObject({ openAlertCount: 2, version: 2 });
  });
});

describe('deleting a client', () => {
  it('deletes it and makes its names available', async () => {
    const created = await create({ name: 'Short-lived', aliases: ['brief'] });
    expect(await remove(created.id, '"1"')).toEqual({ ok: true, status: 204, body: null, version: null });
    for (const answer of [
      await api.callAs(me, getClient, { params: { id: created.id } }),
      await put(created.id, { name: 'x' }),
      await remove(created.id),
    ]) {
      expect(answer).toMatchObject({ code: 'NOT_FOUND', details: { resource: 'client', id: created.id } });
    }
    expect(pageOf(await api.callAs(me, listClients, { query: { q: 'Short-lived' } })).meta.total).toBe(0);
    expect(await create({ slug: 'short-lived', aliases: ['BRIEF'] })).toMatchObject({ slug: 'short-lived' });
  });

  it('is refused while records in use name it, and lists them', async () => {
    const created = await create();
    const alert = await newAlert(created.id, 'acknowledged');
    const incident = await newIncident(created.id);
    const sender = await integration(created.id, 'Zabbix');
    const window = await newWindow([(await create()).id, created.id]);
    expect(await remove(created.id)).toMatchObject({
      code: 'RESOURCE_IN_USE',
      details: {
        references: [
          { resource: 'alert', id: publicId('alert', alert), name: 'High CPU' },
          { resource: 'incident', id: publicId('incident', incident), name: 'Shop is slow' },
          { resource: 'integration', id: sender.id, name: 'Zabbix' },
          { resource: 'suppression_window', id: publicId('suppressionWindow', window), name: 'Sunday patching' },
        ],
      },
    });
    const users = async () =>
      ((await remove(created.id)) as { details: { references: { resource: string }[] } }).details.references.map(
        ({ resource }) => resource,
      );
    await api.admin.query(`UPDATE alerts.alerts SET status = 'resolved', resolved_at = now() WHERE id = $1`, [alert]);
    expect(await users()).toEqual(['incident', 'integration', 'suppression_window']);
    await api.admin.query(`UPDATE alerts.incidents SET status = 'resolved', resolved_at = now() WHERE id = $1`, [
      incident,
    ]);
    expect(await users()).toEqual(['integration', 'suppression_window']);
    await api.callAs(me, deleteIntegration, { params: { id: sender.id } });
    expect(await users()).toEqual(['suppression_window']);
    await api.admin.query('DELETE FROM resources.suppression_windows WHERE id = $1', [window]);
    expect(await remove(created.id)).toMatchObject({ ok: true });
  });

  it('lists up to ten records of a kind', async () => {
    const created = await create();
    for (let i = 0; i < 12; i++) await newAlert(created.id);
    const answer = await remove(created.id);
    expect((answer as { details: { references: unknown[] } }).details.references).toHaveLength(10);
  });

  it('conflicts with an integration that names it at the same time: one of them is refused', async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < 12; round++) {
      const created = await create();
      const sender = dataOf<Integration>(await api.callAs(me, createIntegration, { body: { name: 'racing' } }));
      const naming =
        round % 2 === 0
          ? () => api.callAs(me, createIntegration, { body: { name: 'racing', clientId: created.id } })
          : () => api.callAs(me, updateIntegration, { params: { id: sender.id }, body: { clientId: created.id } });
      const [named, deleted] =
        round % 4 < 2
          ? await Promise.all([naming(), remove(created.id)])
          : (await Promise.all([remove(created.id), naming()])).reverse();
      const outcome = `${named?.ok ? 'named' : named?.code}, ${deleted?.ok ? 'deleted' : deleted?.code}`;
      outcomes.add(outcome);
      expect(['named, RESOURCE_IN_USE', 'VALIDATION_ERROR, deleted']).toContain(outcome);
    }
    const { rows } = await api.admin.query(
      `SELECT 1 FROM resources.integrations i JOIN resources.clients c ON c.id = i.client_id
       WHERE i.deleted_at IS NULL AND c.deleted_at IS NOT NULL`,
    );
    expect(rows).toEqual([]);
  });

  it('waits for a transaction that names it, and then is refused', async () => {
    const created = await create();
    const writer = await api.admin.connect();
    try {
      await writer.query('BEGIN');
      await writer.query('SELECT 1 FROM resources.clients WHERE id = $1 FOR SHARE', [uuid(created.id)]);
      const deleted = remove(created.id);
      await waitingForRow(1);
      await insertSuppressionWindow(writer, me, { name: 'Late', clientIds: [uuid(created.id)] });
      await writer.query('COMMIT');
      expect(await deleted).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references: [{ name: 'Late' }] } });
    } finally {
      writer.release();
    }
  });

  it('removes the row after a day when no record names it any more', async () => {
    const [gone, named, inIncident, recent, present] = [
      await create(),
      await create(),
      await create(),
      await create(),
      await create(),
    ];
    await newAlert(named.id, 'resolved');
    const incident = await newIncident(inIncident.id);
    await api.admin.query(`UPDATE alerts.incidents SET status = 'resolved', resolved_at = now() WHERE id = $1`, [
      incident,
    ]);
    const sender = await integration(gone.id);
    await api.callAs(me, deleteIntegration, { params: { id: sender.id } });
    for (const { id } of [gone, named, inIncident, recent]) expect(await remove(id)).toMatchObject({ ok: true });
    await api.admin.query(`UPDATE resources.clients SET deleted_at = now() - interval '25 hours' WHERE id = ANY($1)`, [
      [gone, named, inIncident].map(({ id }) => uuid(id)),
    ]);
    await api.startReplica();
    const remaining = async (): Promise<string[]> => {
      const { rows } = await api.admin.query<{ id: string }>('SELECT id FROM resources.clients WHERE id = ANY($1)', [
        [gone, named, inIncident, recent, present].map(({ id }) => uuid(id)),
      ]);
      return rows.map(({ id }) => publicId('client', id)).sort();
    };
    await eventually(async () =>
      expect(await remaining()).toEqual([named, inIncident, recent, present].map(({ id }) => id).sort()),
    );
  });
});

/** Settles when this number of connections wait for a row or a transaction. */
const waitingForRow = (many: number): Promise<void> =>
  eventually(async () => {
    const { rows } = await api.admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([{ n: many }]);
  });
