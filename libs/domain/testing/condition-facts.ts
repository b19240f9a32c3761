/** An alert and an incident that conditions of tests are compared with. */
import type { AlertFacts, ConditionFacts } from '../src/index.js';

export const alert: AlertFacts = {
  title: 'CPU above 90 %',
  description: 'first line\nsecond line',
  severity: 'high',
  status: 'firing',
  source: 'Zabbix',
  fingerprint: 'cpu-web-01',
  labels: { region: 'eu', 'app.kubernetes.io/name': 'shop', cpu: '92.5', version: '10', empty: '', unit: '90%' },
  annotations: { runbook: 'https://wiki/cpu' },
  clientId: 'cli_1',
  integrationId: 'int_1',
  incidentId: null,
  assigneeId: null,
  occurrenceCount: 3,
};

export const facts: ConditionFacts = {
  alert,
  client: { id: 'cli_1', name: 'Acme', slug: 'acme', externalId: null },
  integration: { id: 'int_1', name: 'Zabbix of Acme', type: 'zabbix' },
  incident: null,
  now: '2026-03-29T21:30:00.000Z', // a Sunday; at Kolkata it is Monday 03:00 plus half an hour
};

export const incident: ConditionFacts['incident'] = {
  number: 42,
  title: 'Shop is slow',
  summary: null,
  severity: 'critical',
  status: 'acknowledged',
  clientId: 'cli_1',
  alertCount: 4,
  openAlertCount: 2,
};
