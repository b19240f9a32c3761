// Request bodies: one alert of about 600 bytes in the format of each system, with {{id}} where alerts differ.
const bytes = 600;

const filled = (make) => make('x'.repeat(bytes - make('').length));

const ours = filled((rest) =>
  JSON.stringify({
    title: 'High CPU on web-{{id}}',
    severity: 'high',
    status: 'firing',
    source: 'bench',
    description: `The load of the last five minutes is above 90 %. ${rest}`,
    fingerprint: 'cpu-{{id}}',
    labels: { host: 'web-{{id}}', region: 'eu-west-1', env: 'production', service: 'checkout', team: 'payments' },
    annotations: { runbook: 'https://runbooks.example.com/cpu' },
  }),
);

const alertmanagers = filled((rest) =>
  JSON.stringify({
    labels: {
      alertname: 'HighCpu',
      instance: 'web-{{id}}',
      severity: 'critical',
      region: 'eu-west-1',
      env: 'production',
      service: 'checkout',
      team: 'payments',
    },
    annotations: {
      summary: 'High CPU on web-{{id}}',
      description: `The load of the last five minutes is above 90 %. ${rest}`,
      runbook: 'https://runbooks.example.com/cpu',
    },
    generatorURL: 'http://prometheus.example.com/graph',
  }),
);

/** In the format of Alertmanager's webhook: an array of alerts within a notification. */
const forwarded = filled((rest) =>
  JSON.stringify({
    status: 'firing',
    labels: {
      alertname: 'HighCpu',
      instance: 'web-{{id}}',
      severity: 'critical',
      region: 'eu-west-1',
      env: 'production',
      service: 'checkout',
      team: 'payments',
    },
    annotations: { summary: 'High CPU on web-{{id}}', description: `The load is above 90 %. ${rest}` },
    startsAt: '2026-01-01T00:00:00.000Z',
    endsAt: '0001-01-01T00:00:00Z',
    generatorURL: 'http://prometheus.example.com/graph',
    fingerprint: 'fp-{{id}}',
  }),
);

export const ownPayload = { item: ours, count: 1, before: '', after: '' };
export const ownPayloadWithItems = (count) => ({
  item: forwarded,
  count,
  before:
    '{"version":"4","groupKey":"{}:{}","truncatedAlerts":0,"status":"firing","receiver":"bench","groupLabels":{},"commonLabels":{},"commonAnnotations":{},"externalURL":"http://alertmanager.example.com","alerts":[',
  after: ']}',
});
export const ofAlertmanager = (count) => ({ item: alertmanagers, count, before: '[', after: ']' });
