import {
  createClient,
  createIntegration,
  createSuppression,
  deleteClient,
  deleteIntegration,
  deleteSuppression,
  getSuppression,
  listSuppression,
  newUuid,
  previewSuppression,
  publicId,
  updateSuppression,
  uuidOf,
  type Client,
  type FieldFault,
  type Integration,
  type Noun,
  type PostSuppressionWindow,
  type Principal,
  type PutSuppressionWindow,
  type SuppressionWindow,
} from '@ams/contracts';
import { type Predicate } from '@ams/domain';
import { dataOf, eventually, pageOf } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi({ replicas: 2 });
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const onEu: Predicate = { field: 'labels.region', op: 'eq', value: 'eu' };
/** Active at any time. */
const always = { startsAt: '2000-01-01T00:00:00.000Z', endsAt: '2099-01-01T00:00:00.000Z' };

const post = (body: object, principal = me) => api.callAs(principal, createSuppression, { body });
const create = async (body: Partial<PostSuppressionWindow> = {}, principal = me): Promise<SuppressionWindow> =>
  dataOf(await post({ name: 'Patching', matchers: [onEu], ...always, ...body }, principal));
const get = async (id: string, principal = me): Promise<SuppressionWindow> =>
  dataOf(await api.callAs(principal, getSuppression, { params: { id } }));
const put = (id: string, body: PutSuppressionWindow, ifMatch: string | null = null) =>
  api.callAs(me, updateSuppression, { params: { id }, body, ifMatch });
const remove = (id: string, ifMatch: string | null = null) =>
  api.callAs(me, deleteSuppression, { params: { id }, ifMatch });

const client = async (principal = me): Promise<string> =>
  dataOf<Client>(await api.callAs(principal, createClient, { body: { name: 'Acme' } })).id;
const integration = async (principal = me): Promise<string> =>
  dataOf<Integration>(await api.callAs(principal, createIntegration, { body: { name: 'Prometheus' } })).id;
const uuid = (id: string, noun: Noun = 'suppressionWindow'): string => uuidOf(noun, id) as string;

const faultsOf = (answer: unknown): string[] => {
  expect(answer).toMatchObject({ ok: false, code: 'VALIDATION_ERROR' });
  return (answer as { details: { fields: FieldFault[] } }).details.fields
    .map(({ path, rule }) => `${path} ${rule}`)
    .sort();
};

describe('what a window names', () => {
  it('must exist: clients and integrations of the tenant that are not deleted', async () => {
    const strangers = [
      await api.newPrincipal(),
      await api.newPrincipal({ organizationId: me.organizationId, environment: 'test' }),
    ];
    const [goneClient, goneIntegration] = [await client(), await integration()];
    expect(await api.callAs(me, deleteClient, { params: { id: goneClient } })).toMatchObject({ ok: true });
    expect(await api.callAs(me, deleteIntegration, { params: { id: goneIntegration } })).toMatchObject({ ok: true });
    const [ownClient, ownIntegration] = [await client(), await integration()];
    const wrongForms = ['', 'nonsense', 'cli_x', uuid(ownClient, 'client'), ownClient.toUpperCase()];
    const clientIds = [
      ownClient,
      ownIntegration,
      goneClient,
      publicId('client', newUuid()),
      ...(await Promise.all(strangers.map(client))),
      ...wrongForms,
    ];
    const integrationIds = [
      goneIntegration,
      ownClient,
      ...(await Promise.all(strangers.map(integration))),
      ownIntegration,
    ];
    const expected = [
      ...clientIds.slice(1).map((_, i) => `clientIds[${i + 1}] exists`),
      ...[0, 1, 2, 3].map((i) => `integrationIds[${i}] exists`),
    ].sort();

    const scope = { clientIds, integrationIds };
    const created = await create();
    expect(faultsOf(await post({ name: 'n', ...always, ...scope }))).toEqual(expected);
    expect(faultsOf(await put(created.id, scope))).toEqual(expected);
    expect(faultsOf(await api.callAs(me, previewSuppression, { body: scope }))).toEqual(expected);
    expect(await get(created.id)).toEqual(created);
    expect(pageOf(await api.callAs(me, listSuppression, { query: { clientId: ownClient } })).meta.total).toBe(0);
  });

  it('cannot be deleted', async () => {
    const [clientId, integrationId] = [await client(), await integration()];
    const first = await create({
      name: 'On both',
      clientIds: [await client(), clientId],
      integrationIds: [integrationId],
    });
    const second = await create({ name: 'On both, too', clientIds: [clientId], integrationIds: [integrationId] });
    const removal = () =>
      Promise.all([
        api.callAs(me, deleteClient, { params: { id: clientId } }),
        api.callAs(me, deleteIntegration, { params: { id: integrationId } }),
      ]);
    const references = expect.arrayContaining(
      [first, second].map(({ id, name }) => ({ resource: 'suppression_window', id, name })),
    );
    for (const answer of await removal())
      expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references } });

    await put(first.id, { clientIds: [], integrationIds: [] });
    for (const answer of await removal())
      expect(answer).toMatchObject({ code: 'RESOURCE_IN_USE', details: { references: [{ id: second.id }] } });
    await remove(second.id);
    for (const answer of await removal()) expect(answer).toMatchObject({ ok: true });
  });

  const racers = {
    client: { make: client, deletion: deleteClient, field: 'clientIds' },
    integration: { make: integration, deletion: deleteIntegration, field: 'integrationIds' },
  } as const;
  it.each(['client', 'integration'] as const)(
    'and the %s that is deleted at the same time: one of the two requests is refused',
    async (noun) => {
      const { make, deletion, field } = racers[noun];
      const window = await create();
      for (let round = 0; round < 12; round++) {
        const id = await make();
        const naming = () =>
          round % 2 === 0 ? post({ name: 'racing', ...always, [field]: [id] }) : put(window.id, { [field]: [id] });
        const deleting = () => api.callAs(me, deletion, { params: { id } });
        const [named, deleted] =
          round % 4 < 2
            ? await Promise.all([naming(), deleting()])
            : (await Promise.all([deleting(), naming()])).reverse();
        expect(['named, RESOURCE_IN_USE', 'VALIDATION_ERROR, deleted']).toContain(
          `${named?.ok ? 'named' : named?.code}, ${deleted?.ok ? 'deleted' : deleted?.code}`,
        );
      }
      const { rows } = await api.admin.query(
        `SELECT 1 FROM resources.suppression_windows w JOIN resources.${noun}s r ON r.id = ANY(w.${noun}_ids)
         WHERE r.deleted_at IS NOT NULL`,
      );
      expect(rows).toEqual([]);
    },
  );

  it.each(['client', 'integration'] as const)(
    'is held until the window is written: the deletion of the %s waits, and is refused',
    async (noun) => {
      const { make, deletion, field } = racers[noun];
      const own = await api.newPrincipal(); // two calls at once: as many as an organization may have beside others
      const id = await make(own);
      const blocker = await api.admin.connect();
      try {
        // The transaction of the window waits here, before it inserts its row.
        await blocker.query('BEGIN; LOCK TABLE resources.suppression_windows IN SHARE MODE');
        const named = post({ name: 'Late', ...always, [field]: [id] }, own);
        await waitingForLocks(1);
        const deleted = api.callAs(own, deletion, { params: { id } });
        await waitingForLocks(2);
        await blocker.query('COMMIT');
        expect(await named).toMatchObject({ ok: true });
        expect(await deleted).toMatchObject({
          code: 'RESOURCE_IN_USE',
          details: { references: [{ name: 'Late' }] },
        });
      } finally {
        await blocker.query('ROLLBACK');
        blocker.release();
      }
    },
  );

  it('causes no deadlock when many windows name the same in any order', async () => {
    const clientIds = await Promise.all(Array.from({ length: 4 }, () => client()));
    const integrationIds = await Promise.all(Array.from({ length: 4 }, () => integration()));
    const answers = await Promise.all(
      Array.from({ length: 16 }, (_, i) => {
        const scope = {
          clientIds: i % 2 ? clientIds : clientIds.toReversed(),
          integrationIds: i % 3 ? integrationIds : integrationIds.toReversed(),
        };
        return post({ name: 'tangle', ...always, ...scope });
      }),
    );
    for (const answer of answers) expect(answer).toMatchObject({ ok: true });
  });
});

/** Settles when this number of connections wait for a lock. */
const waitingForLocks = (many: number): Promise<void> =>
  eventually(async () => {
    const { rows } = await api.admin.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    expect(rows).toEqual([{ n: many }]);
  });
