/** Integrations of an earlier release, as they are in the database when a replica of this release starts. */
import {
  createIntegration,
  credentialHash,
  getIntegration,
  uuidOf,
  type AuditRecord,
  type Integration,
  type IntegrationWithToken,
  type Principal,
} from '@ams/contracts';
import { presetSettings } from '@ams/domain';
import { dataOf, eventually } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;
const audit: AuditRecord[] = [];

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
  api.nats.subscribe('evt.audit', { callback: (_error, message) => void audit.push(message.json<AuditRecord>()) });
});
afterAll(() => api.stop());

const get = async ({ id }: Integration): Promise<Integration> =>
  dataOf(await api.callAs(me, getIntegration, { params: { id } }));

/** An integration with the settings of the first preset of Uptime Kuma, and `more` settings that a user changed. */
async function createdEarlier(more: object, staticLabels = {}): Promise<IntegrationWithToken> {
  const created = dataOf<IntegrationWithToken>(
    await api.callAs(me, createIntegration, { body: { name: 'Kuma', type: 'uptime_kuma', staticLabels } }),
  );
  const { type: _type, ...present } = presetSettings('uptime_kuma');
  const fieldMappings = present.fieldMappings.filter(({ target }) => target !== 'occurredAt');
  await api.admin.query('UPDATE resources.integrations SET settings = $1 WHERE id = $2', [
    { ...present, fieldMappings, staticLabels, ...more },
    uuidOf('integration', created.id),
  ]);
  return created;
}

it('settings of an earlier preset become those of the present one, and what a user changed stays', async () => {
  const untouched = await createdEarlier({}, { team: 'sre' });
  const changed = await createdEarlier({ defaultSeverity: 'critical' });
  const own = await createdEarlier({ statusMap: { '0': 'firing', '1': 'resolved' } });
  const [before, beforeOwn] = [await get(changed), await get(own)];

  // Several replicas at once: the integration changes once.
  await Promise.all([api.startReplica(), api.startReplica(), api.startReplica()]);
  const { handshakeWhen: _handshakeWhen, ...preset } = presetSettings('uptime_kuma');
  await eventually(async () =>
    expect(await get(untouched)).toMatchObject({ ...preset, staticLabels: { team: 'sre' }, version: 2 }),
  );
  expect(await get(changed)).toEqual(before);
  expect(await get(own)).toEqual(beforeOwn);

  // The ingest gateways get the new settings, and the audit log has one entry.
  await eventually(async () =>
    expect((await api.bucketEntries()).get(credentialHash(untouched.token))).toMatchObject({
      version: 2,
      settings: { fieldMappings: preset.fieldMappings, staticLabels: { team: 'sre' } },
    }),
  );
  const entries = await eventually(() => {
    const found = audit.filter(({ actor }) => actor.type === 'service');
    expect(found).toHaveLength(1);
    return Promise.resolve(found);
  });
  expect(entries[0]).toMatchObject({
    type: 'integration.updated',
    organizationId: me.organizationId,
    environment: me.environment,
    resource: { type: 'integration', id: untouched.id },
    changes: [{ field: 'fieldMappings' }],
  });
});
