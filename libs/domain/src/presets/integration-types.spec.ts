import {
  changedSettings,
  compileMapping,
  effectiveSettings,
  integrationTypes,
  isIntegrationType,
  mapPayload,
  presetSettings,
  settingsForNewIntegration,
  validateMappingSettings,
  type IntegrationType,
  type MappedEvent,
} from '../index.js';

test.each(integrationTypes)('$type has valid settings', ({ type, name, docs, settings }) => {
  expect(validateMappingSettings(settings)).toEqual([]);
  expect(settings.type).toBe(type);
  expect(name).not.toBe('');
  expect(docs).toMatch(/\.$/);
  expect(() => compileMapping(settings)).not.toThrow();
});

test('all documented types exist', () => {
  expect(integrationTypes.map(({ type }) => type)).toEqual(
    expect.arrayContaining([
      ...[
        'generic',
        'alertmanager',
        'grafana',
        'datadog',
        'cloudwatch',
        'azure_monitor',
        'google_cloud',
        'new_relic',
        'sentry',
        'zabbix',
        'icinga',
      ],
      ...[
        'nagios',
        'checkmk',
        'uptime_kuma',
        'uptimerobot',
        'pingdom',
        'healthchecks',
        'elastic',
        'netdata',
        'prtg',
        'pagerduty_events_v2',
        'opsgenie',
      ],
    ]),
  );
  expect(isIntegrationType('grafana')).toBe(true);
  expect(isIntegrationType('toString')).toBe(false);
});

describe('settings of an integration', () => {
  test('are those of the preset, as a copy, when nothing was sent', () => {
    const settings = settingsForNewIntegration('datadog', {});
    expect(settings).toEqual(presetSettings('datadog'));
    settings.fieldMappings.length = 0;
    expect(presetSettings('datadog').fieldMappings).not.toHaveLength(0);
  });

  test('are those that were sent, field by field', () => {
    const sent = { fieldMappings: [{ target: 'title', source: 'x' }], defaultSeverity: null, itemsPath: undefined };
    expect(effectiveSettings('alertmanager', sent)).toEqual({
      ...presetSettings('alertmanager'),
      fieldMappings: sent.fieldMappings,
      defaultSeverity: null,
    });
  });

  test('null clears, also for a list', () => {
    const cleared = changedSettings(presetSettings('cloudwatch'), {
      parseJson: null,
      statusMap: null,
      handshakeWhen: null,
      itemsPath: null,
    });
    expect(cleared).toMatchObject({
      parseJson: [],
      statusMap: null,
      handshakeWhen: [],
      itemsPath: null,
      type: 'cloudwatch',
    });
  });
});

/** Senders without a captured sample: the body from their documentation, and the expected event. */
const documented: [IntegrationType, string, object, Partial<MappedEvent> | 'ignored'][] = [
  [
    'google_cloud',
    'open',
    {
      version: '1.2',
      incident: {
        incident_id: '0.abc',
        scoping_project_id: 'shop',
        url: 'https://console.cloud.google.com/i',
        state: 'open',
        severity: 'Critical',
        policy_name: 'Error rate',
        condition_name: '5xx',
        summary: '5xx above 1 %',
        resource: { type: 'cloud_run_revision', labels: { location: 'eu' } },
        policy_user_labels: { team: 'sre' },
        metric: { type: 'run/request_count' },
      },
    },
    { title: '5xx', severity: 'critical', status: 'firing', fingerprint: '0.abc', description: '5xx above 1 %' },
  ],
  [
    'google_cloud',
    'closed',
    { incident: { incident_id: '0.abc', state: 'closed', policy_name: 'Error rate' } },
    { status: 'resolved', fingerprint: '0.abc' },
  ],
  ['google_cloud', 'test', { version: 'test', incident: { incident_id: '12345' } }, 'ignored'],
  [
    'checkmk',
    'service',
    {
      NOTIFY_HOSTNAME: 'web',
      NOTIFY_SERVICEDESC: 'CPU',
      NOTIFY_SERVICESTATE: 'CRITICAL',
      NOTIFY_NOTIFICATIONTYPE: 'PROBLEM',
    },
    { title: 'web CPU', severity: 'critical', fingerprint: 'checkmk::web!CPU' },
  ],
  [
    'checkmk',
    'host',
    { HOSTNAME: 'web', HOSTSTATE: 'UP', NOTIFICATIONTYPE: 'RECOVERY' },
    { title: 'web', status: 'resolved', severity: null, fingerprint: 'checkmk::web!' },
  ],
  [
    'checkmk',
    'short state',
    {
      NOTIFY_HOSTNAME: 'web',
      NOTIFY_SERVICEDESC: 'CPU',
      NOTIFY_SERVICESHORTSTATE: 'CRIT',
      NOTIFY_NOTIFICATIONTYPE: 'PROBLEM',
    },
    { severity: 'critical', fingerprint: 'checkmk::web!CPU' },
  ],
  ['checkmk', 'downtime', { HOSTNAME: 'web', NOTIFICATIONTYPE: 'DOWNTIMESTART' }, 'ignored'],
  [
    'uptimerobot',
    'down',
    { monitorID: '1', monitorFriendlyName: 'Shop', alertType: '1', alertTypeFriendlyName: 'Down' },
    { title: 'Shop', status: 'firing', fingerprint: '1' },
  ],
  [
    'uptimerobot',
    'up',
    { monitorID: '1', monitorFriendlyName: 'Shop', alertType: '2', alertTypeFriendlyName: 'Up' },
    { status: 'resolved', fingerprint: '1' },
  ],
  [
    'pingdom',
    'down',
    { check_id: 12, check_name: 'Shop', current_state: 'DOWN', importance_level: 'HIGH', tags: ['a'] },
    { title: 'Shop', severity: 'high', fingerprint: '12' },
  ],
  [
    'pingdom',
    'success',
    { check_id: 12, check_name: 'Shop', current_state: 'SUCCESS', importance_level: 'LOW' },
    { status: 'resolved', fingerprint: '12' },
  ],
  [
    'elastic',
    'active',
    { rule_id: 'r', rule_name: 'CPU', alert_id: 'web', action_group: 'metrics.threshold.fired', reason: 'high' },
    { title: 'CPU', severity: 'high', fingerprint: 'r:web' },
  ],
  [
    'elastic',
    'the variables as they are nested',
    {
      rule: { id: 'r', name: 'CPU', spaceId: 'default', url: 'https://k/r' },
      alert: { id: 'web', actionGroup: 'slo.burnRate.high' },
      context: { reason: 'high', host: { name: 'web-1' }, alertDetailsUrl: 'https://k/a', severity: 'critical' },
    },
    {
      title: 'CPU',
      description: 'high',
      severity: 'critical',
      status: 'firing',
      fingerprint: 'r:web',
      labels: { rule: 'CPU', alert: 'web', host: 'web-1', space: 'default' },
      annotations: { url: 'https://k/a' },
    },
  ],
  [
    'elastic',
    'camel case, and an unknown action group',
    { ruleId: 'r', ruleName: 'CPU', alertId: 'web', actionGroup: 'my.group' },
    { status: 'firing', fingerprint: 'r:web' },
  ],
  [
    'elastic',
    'camel case, recovered',
    { ruleId: 'r', ruleName: 'CPU', alertId: 'web', actionGroup: 'Recovered' },
    { status: 'resolved', fingerprint: 'r:web' },
  ],
  [
    'elastic',
    'only a status',
    { rule_id: 'r', rule_name: 'CPU', alert_id: 'web', status: 'active' },
    { status: 'firing', fingerprint: 'r:web' },
  ],
  [
    'elastic',
    'recovered',
    { rule_id: 'r', rule_name: 'CPU', alert_id: 'web', action_group: 'recovered' },
    { status: 'resolved', fingerprint: 'r:web' },
  ],
  [
    'netdata',
    'warning',
    {
      message: 'ram on web',
      alert: 'ram',
      chart: 'system.ram',
      context: 'system.ram',
      space: 's',
      severity: 'warning',
    },
    { title: 'ram on web', severity: 'medium', status: 'firing', fingerprint: 's//system.ram/system.ram/ramweb' },
  ],
  [
    'netdata',
    'clear',
    {
      message: 'ram is fine on node `web`',
      alert: 'ram',
      chart: 'system.ram',
      context: 'system.ram',
      space: 's',
      severity: 'clear',
    },
    { severity: null, status: 'resolved', fingerprint: 's//system.ram/system.ram/ramweb' },
  ],
  [
    'netdata',
    'another node',
    { message: 'ram on db-2.example.com.', alert: 'ram', context: 'system.ram', space: 's', severity: 'critical' },
    {
      status: 'firing',
      fingerprint: 's//system.ram//ramdb-2.example.com',
      labels: { alert: 'ram', context: 'system.ram', space: 's', host: 'db-2.example.com' },
    },
  ],
  [
    'netdata',
    'the node in the URL, whatever the message says',
    {
      message: 'ram is fine',
      alert: 'ram',
      space: 's',
      severity: 'clear',
      alert_url: 'https://app.netdata.cloud/spaces/s/rooms/all/nodes/web-3?x=1',
    },
    { status: 'resolved', fingerprint: 's////ramweb-3' },
  ],
  [
    'netdata',
    'no node anywhere',
    { message: 'ram is high', alert: 'ram', space: 's', severity: 'critical' },
    { status: 'firing', fingerprint: 's////ram', labels: { alert: 'ram', space: 's' } },
  ],
  [
    'netdata_agent',
    'critical',
    {
      host: 'web',
      name: 'ram_in_use',
      chart: 'system.ram',
      family: 'ram',
      status: 'CRITICAL',
      value_string: '98%',
      info: 'RAM utilization',
      classification: 'Utilization',
      when: '1700000000',
    },
    {
      title: 'ram_in_use on web',
      severity: 'critical',
      status: 'firing',
      fingerprint: 'web/system.ram/ram_in_use',
      occurredAt: '2023-11-14T22:13:20.000Z',
      annotations: { value: '98%' },
    },
  ],
  [
    'netdata_agent',
    'clear',
    { host: 'web', name: 'ram_in_use', chart: 'system.ram', status: 'CLEAR' },
    { status: 'resolved', severity: null, fingerprint: 'web/system.ram/ram_in_use' },
  ],
  ['netdata_agent', 'undefined', { host: 'web', name: 'ram_in_use', status: 'UNDEFINED' }, 'ignored'],
  [
    'netdata',
    'unreachable',
    {
      message: 'web is unreachable',
      host: 'web',
      severity: 'critical',
      status: { reachable: false, text: 'unreachable' },
    },
    { severity: 'critical', status: 'firing' },
  ],
  ['netdata', 'verification', { title: 'Netdata', message: 'verify', token: 't' }, 'ignored'],
  [
    'dynatrace',
    'open',
    { State: 'OPEN', PID: '-1_V2', ProblemTitle: 'Slow', ProblemSeverity: 'AVAILABILITY', Tags: 'team:sre, shop' },
    { title: 'Slow', severity: 'critical', fingerprint: '-1_V2' },
  ],
  [
    'dynatrace',
    'resolved',
    { State: 'RESOLVED', PID: '-1_V2', ProblemTitle: 'Slow' },
    { status: 'resolved', fingerprint: '-1_V2' },
  ],
  [
    'splunk',
    'match',
    { sid: 's1', search_name: 'Errors', results_link: 'http://s', result: { host: 'web', severity: 'high' } },
    { title: 'Errors', severity: 'high', fingerprint: 'Errorsweb' },
  ],
  [
    'statuscake',
    'down',
    { Name: 'Shop', URL: 'https://shop', Status: 'Down', StatusCode: '503' },
    { title: 'Shop', status: 'firing', fingerprint: 'https://shop' },
  ],
  [
    'statuscake',
    'up',
    { Name: 'Shop', URL: 'https://shop', Status: 'Up', StatusCode: '200' },
    { status: 'resolved', fingerprint: 'https://shop' },
  ],
  [
    'opsgenie',
    'its own webhook',
    {
      action: 'Close',
      source: { name: 'web', type: 'web' },
      alert: { alertId: 'i', alias: 'a', message: 'm', source: 's' },
    },
    { status: 'resolved', fingerprint: 'a', source: 's' },
  ],
  [
    'opsgenie',
    'an acknowledgement that is taken back',
    {
      action: 'UnAcknowledge',
      source: { name: '', type: 'web' },
      alert: { alertId: 'i', alias: 'a', message: 'm', entity: '', tags: ['x'], createdAt: 1420452191104 },
    },
    {
      status: 'firing',
      fingerprint: 'a',
      severityIsDefault: true,
      description: null,
      occurredAt: '2015-01-05T10:03:11.104Z',
    },
  ],
  ...['TakeOwnership', 'EscalateNext', 'Snooze', 'UpdateDetails', 'RemoveResponder'].map(
    (action): [IntegrationType, string, object, 'ignored'] => [
      'opsgenie',
      action,
      { action, alert: { alertId: 'i' } },
      'ignored',
    ],
  ),
  ['opsgenie', 'a note', { action: 'AddNote', alert: { alertId: 'i', message: 'm' } }, 'ignored'],
  [
    'prtg',
    'ended',
    { device: 'd', sensor: 's', sensorid: '1', status: 'Down ended (now: Up)', priority: '***' },
    { title: 'd s', status: 'resolved', fingerprint: '1' },
  ],
  [
    'prtg',
    'acknowledged',
    { device: 'd', sensor: 's', sensorid: '1', status: 'Down (Acknowledged)', priority: '***' },
    { status: 'acknowledged', severity: 'medium' },
  ],
  [
    'zabbix',
    'update with acknowledgement',
    {
      event_id: '1',
      event_name: 'n',
      event_status: 'PROBLEM',
      event_update_status: '1',
      event_ack_status: 'Yes',
      event_severity: 'Disaster',
    },
    { status: 'acknowledged', severity: 'critical' },
  ],
  ['zabbix', 'few fields', { event_id: '1', event_name: 'n', event_status: 'RESOLVED' }, { status: 'resolved' }],
  ['sentry', 'assigned', { action: 'assigned', data: { issue: { id: '1', title: 't', level: 'error' } } }, 'ignored'],
  ['cloudwatch', 'unsubscribed', { Type: 'UnsubscribeConfirmation' }, 'ignored'],
  ['nagios', 'flapping', { title: 't', severity: 'CRITICAL', status: 'FLAPPINGSTART' }, 'ignored'],
  ['nagios', 'host', { title: 't', severity: 'DOWN', status: 'PROBLEM' }, { severity: 'critical', status: 'firing' }],
];

test.each(documented)('%s: %s', (type, _, payload, expected) => {
  const mapped = mapPayload(compileMapping(presetSettings(type)), payload);
  expect(mapped).toMatchObject({
    kind: 'items',
    items: [expected === 'ignored' ? { kind: 'ignored' } : { kind: 'event', event: expected }],
  });
});
