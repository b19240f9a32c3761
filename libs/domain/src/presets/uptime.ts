/** Checks of web sites and scheduled jobs. */
import { always, from, presets, template } from './preset.js';

export const uptime = presets({
  // https://github.com/louislam/uptime-kuma/wiki/Notification-Methods; the numbers are from server/model/monitor.js.
  // The test button sends neither monitor nor heartbeat.
  uptime_kuma: {
    name: 'Uptime Kuma',
    docs: 'Settings, Notifications: type Webhook, the ingest URL, request body "Preset - application/json".',
    settings: {
      fieldMappings: [
        from('title', 'monitor.name'),
        from('description', 'msg', 'heartbeat.msg'),
        from('status', 'heartbeat.status'),
        always('source', 'uptime-kuma'),
        from('fingerprint', 'monitor.id', 'heartbeat.monitorID'),
        // In UTC, but the text has no time zone.
        template('occurredAt', '{{heartbeat.time}}Z'),
        from('labels.*', 'monitor.tags'),
        from('labels.monitor', 'monitor.name'),
        from('labels.url', 'monitor.url'),
        from('labels.host', 'monitor.hostname'),
        from('labels.type', 'monitor.type'),
        from('labels.monitor_id', 'monitor.id'),
      ],
      statusMap: { '0': 'firing', '1': 'resolved', '2': 'firing', '3': 'suppressed' },
      defaultSeverity: 'high',
      ignoreWhen: [{ path: 'heartbeat', missing: true }],
    },
  },

  // The variables of a Webhook alert contact, as https://grafana.com/docs/oncall/latest/integrations/uptimerobot/ lists
  // them
  uptimerobot: {
    name: 'UptimeRobot',
    docs:
      'Integrations, Webhook: the ingest URL, Send as JSON, with the value ' +
      '{"monitorID":"*monitorID*","monitorFriendlyName":"*monitorFriendlyName*","monitorURL":"*monitorURL*",' +
      '"alertType":"*alertType*","alertTypeFriendlyName":"*alertTypeFriendlyName*","alertDetails":"*alertDetails*"}.',
    settings: {
      fieldMappings: [
        from('title', 'monitorFriendlyName', 'monitorURL'),
        from('description', 'alertDetails'),
        from('status', 'alertType', 'alertTypeFriendlyName'),
        always('source', 'uptimerobot'),
        from('fingerprint', 'monitorID', 'monitorURL'),
        from('labels.monitor', 'monitorFriendlyName'),
        from('labels.url', 'monitorURL'),
        from('labels.monitor_id', 'monitorID'),
        from('annotations.duration', 'alertFriendlyDuration', 'alertDuration'),
        from('annotations.ssl_expiry', 'sslExpiryDate'),
      ],
      // 3 and 4: an expiring certificate or domain.
      statusMap: { '1': 'firing', '2': 'resolved', '3': 'firing', '4': 'firing', down: 'firing', up: 'resolved' },
      defaultSeverity: 'high',
    },
  },

  // https://www.pingdom.com/resources/webhooks/ (state change webhooks; transaction checks say FAILING and SUCCESS)
  pingdom: {
    name: 'Pingdom',
    docs: 'Settings, Integrations: add a Webhook with the ingest URL, and choose it in the checks.',
    settings: {
      fieldMappings: [
        from('title', 'check_name'),
        from('description', 'long_description', 'description'),
        from('severity', 'importance_level'),
        from('status', 'current_state'),
        always('source', 'pingdom'),
        from('fingerprint', 'check_id'),
        from('occurredAt', 'state_changed_timestamp'),
        from('labels.*', 'tags'),
        from('labels.check', 'check_name'),
        from('labels.check_id', 'check_id'),
        from('labels.type', 'check_type'),
        from('labels.host', 'check_params.hostname'),
        from('annotations.url', 'check_params.full_url', 'check_params.url'),
        from('annotations.probe', 'first_probe.location'),
        from('annotations.message', 'custom_message'),
      ],
      severityMap: { high: 'high', low: 'low' },
      statusMap: { down: 'firing', failing: 'firing', up: 'resolved', success: 'resolved' },
      defaultSeverity: 'high',
    },
  },

  // https://healthchecks.io/docs/configuring_notifications/ and https://healthchecks.io/docs/api/: the body is
  // $BODY_JSON or the check as the API returns it ($JSON). A read-only view has unique_key in place of uuid.
  healthchecks: {
    name: 'Healthchecks.io',
    docs:
      'Integrations, Webhook: for down and for up POST to the ingest URL with the header Content-Type: ' +
      'application/json and the body $JSON.',
    settings: {
      fieldMappings: [
        from('title', 'name', 'slug', 'uuid'),
        from('description', 'desc'),
        from('status', 'status'),
        always('source', 'healthchecks.io'),
        from('fingerprint', 'uuid', 'unique_key', 'code'),
        from('labels.slug', 'slug'),
        from('labels.tags', 'tags'),
      ],
      statusMap: { down: 'firing', up: 'resolved', paused: 'suppressed' },
      defaultSeverity: 'high',
    },
  },

  // A form, posted; its fields as https://docs.firehydrant.com/docs/signals-statuscake lists them.
  statuscake: {
    name: 'StatusCake',
    docs: 'Alerting, Contact groups: set the ingest URL as Webhook URL, method POST.',
    settings: {
      fieldMappings: [
        from('title', 'Name', 'URL'),
        template('description', '{{URL}} answers {{StatusCode}}'),
        from('status', 'Status'),
        always('source', 'statuscake'),
        from('fingerprint', 'TestID', 'URL', 'Name'),
        from('labels.test', 'Name'),
        from('labels.url', 'URL'),
        from('labels.ip', 'IP'),
        from('labels.status_code', 'StatusCode'),
        from('labels.tags', 'Tags'),
      ],
      statusMap: { down: 'firing', up: 'resolved' },
      defaultSeverity: 'high',
    },
  },
});
