// Lists, facets and exports of many alerts, one after another without a pause.
import { sendAlerts } from './alerts.mjs';

export const what = 'lists, facets and exports';
export const clients = 12;

export const prepare = (a) => sendAlerts(a, 'q', 1000);

const paths = [
  '/alerts?limit=100&q=e',
  '/alerts/facets?values=50',
  '/alerts/export?format=csv',
  '/audit-log?limit=100&actorId=key_00000000000000000000000000000000',
];

export const act = async ({ call }, _prepared, n) => (await call('GET', paths[n % paths.length])).status;
