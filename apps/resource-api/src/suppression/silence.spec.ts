import {
  createSuppression,
  getSuppression,
  previewSuppression,
  publicId,
  silenceAlert,
  updateSuppression,
  type Principal,
  type SuppressionPreview,
  type SuppressionWindow,
} from '@ams/contracts';
import { dataOf, idempotencyOf, insertAlert, insertIntegration } from '@ams/testing';
import { startResourceApi, type TestResourceApi } from '../../testing/support.js';

let api: TestResourceApi;
let me: Principal;

beforeAll(async () => {
  api = await startResourceApi();
  me = await api.newPrincipal();
});
afterAll(() => api.stop());

const silence = (id: string, body: object, principal = me, more: object = {}) =>
  api.callAs<{ data: SuppressionWindow }>(principal, silenceAlert, { params: { id }, body, ...more });

it('silences the alert and no other one, for the requested time', async () => {
  const labels = { region: 'eu', service: 'db' };
  const integrationId = await insertIntegration(api.admin, me);
  const id = publicId(
    'alert',
    await insertAlert(api.admin, me, { title: 'Disk full', fingerprint: 'disk', labels, integrationId }),
  );
  await insertAlert(api.admin, me, { fingerprint: 'other', labels });
  const body = { durationSeconds: 7200, reason: 'patching' };
  const call = { idempotency: idempotencyOf('silence', body) };
  const answer = await silence(id, body, me, call);
  expect(answer).toMatchObject({ ok: true, status: 201, version: 1 });
  expect(await silence(id, body, me, call)).toEqual(answer);
  const window = dataOf<SuppressionWindow>(answer);
  expect(window).toMatchObject({ name: 'Silence: Disk full', reason: 'patching', status: 'active', rrule: null });
  expect(window.matchers).toEqual([
    { field: 'fingerprint', op: 'eq', value: 'disk' },
    { field: 'labels.region', op: 'eq', value: 'eu' },
    { field: 'labels.service', op: 'eq', value: 'db' },
  ]);
  expect(window.integrationIds).toEqual([publicId('integration', integrationId)]);
  expect(Date.parse(window.endsAt ?? '') - Date.parse(window.startsAt)).toBe(7_200_000);
  expect(dataOf(await api.callAs(me, getSuppression, { params: { id: window.id } }))).toEqual(window);
  const { matchers, integrationIds } = window;
  const preview = await api.callAs(me, previewSuppression, { body: { matchers, integrationIds } });
  expect(dataOf<SuppressionPreview>(preview)).toMatchObject({ total: 1, alerts: [{ id }] });
});

it('is refused for the alert of another tenant, and without a length', async () => {
  const id = publicId('alert', await insertAlert(api.admin, me, {}));
  const stranger = await api.newPrincipal();
  expect(await silence(id, { durationSeconds: 60 }, stranger)).toMatchObject({ code: 'NOT_FOUND' });
  expect(await silence(id, { durationSeconds: 59 })).toMatchObject({ code: 'VALIDATION_ERROR' });
  expect(await silence(id, {})).toMatchObject({ code: 'VALIDATION_ERROR' });
});

it('a recurring window may end by the clock, and leave out dates', async () => {
  const body = {
    name: 'Nights',
    matchAll: true,
    startsAt: '2027-01-01T21:00:00Z',
    timezone: 'Europe/Berlin',
    rrule: 'FREQ=DAILY',
    untilTime: '06:00',
    excludedDates: ['2027-12-24'],
  };
  const created = dataOf<SuppressionWindow>(await api.callAs(me, createSuppression, { body }));
  expect(created).toMatchObject({ untilTime: '06:00', durationSeconds: null, excludedDates: ['2027-12-24'] });
  const change = { untilTime: null, durationSeconds: 3600, excludedDates: [] };
  expect(dataOf(await api.callAs(me, updateSuppression, { params: { id: created.id }, body: change }))).toMatchObject(
    change,
  );
});
