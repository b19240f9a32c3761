/** Checks of hosts and services. */
import type { IgnoreCondition, MappingSettings } from '../mapping/mapping-settings.js';
import { always, from, part, presets, template } from './preset.js';

/**
 * States of Nagios and its forks:
 * https://assets.nagios.com/downloads/nagioscore/docs/nagioscore/4/en/macrolist.html#servicestate
 */
const nagiosSeverities = {
  critical: 'critical',
  down: 'critical',
  unreachable: 'high',
  warning: 'medium',
  unknown: 'medium',
} satisfies MappingSettings['severityMap'];

const nagiosStatuses = {
  problem: 'firing',
  recovery: 'resolved',
  acknowledgement: 'acknowledged',
} satisfies MappingSettings['statusMap'];

/** Notifications about the monitoring itself, not about a problem. */
const nagiosNotices = (path: string): IgnoreCondition[] =>
  [
    'FLAPPINGSTART',
    'FLAPPINGSTOP',
    'FLAPPINGEND',
    'FLAPPINGDISABLED',
    'DOWNTIMESTART',
    'DOWNTIMEEND',
    'DOWNTIMECANCELLED',
    'DOWNTIMEREMOVED',
    'CUSTOM',
  ].map((equals) => ({ path, equals }));

/** For Icinga and Nagios, which post no JSON: the command in `docs` builds the standard payload with their words. */
const nagiosLike = {
  severityMap: nagiosSeverities,
  statusMap: nagiosStatuses,
  defaultSeverity: 'medium',
  ignoreWhen: nagiosNotices('status'),
} satisfies Partial<MappingSettings>;

export const hosts = presets({
  // https://www.zabbix.com/documentation/current/en/manual/config/notifications/media/webhook. Every value is a text.
  // An update message has the state of the problem and of its acknowledgement in separate fields: the status consists
  // of all three words.
  zabbix: {
    name: 'Zabbix',
    docs:
      'Alerts, Media types: a Webhook that posts its parameters as JSON to the ingest URL: event_id {EVENT.ID}, ' +
      'event_name {EVENT.NAME}, event_status {EVENT.STATUS}, event_update_status {EVENT.UPDATE.STATUS}, ' +
      'event_ack_status {EVENT.ACK.STATUS}, event_severity {EVENT.SEVERITY}, event_tags {EVENT.TAGSJSON}, ' +
      'event_opdata {EVENT.OPDATA}, host_name {HOST.NAME}, host_ip {HOST.IP}, trigger_id {TRIGGER.ID}, ' +
      'trigger_description {TRIGGER.DESCRIPTION}, message {ALERT.MESSAGE}.',
    settings: {
      parseJson: ['event_tags'],
      fieldMappings: [
        from('title', 'event_name', 'subject'),
        from('description', 'message', 'trigger_description'),
        from('severity', 'event_severity', 'event_nseverity'),
        template('status', '{{event_status}} {{event_update_status}} {{event_ack_status}}'),
        always('source', 'zabbix'),
        from('fingerprint', 'event_id'),
        from('labels.*', 'event_tags'),
        from('labels.host', 'host_name'),
        from('labels.ip', 'host_ip'),
        from('labels.trigger_id', 'trigger_id'),
        from('annotations.opdata', 'event_opdata'),
        from('annotations.trigger', 'trigger_description'),
        from('annotations.url', 'trigger_url'),
      ],
      severityMap: {
        disaster: 'critical',
        high: 'high',
        average: 'medium',
        warning: 'low',
        information: 'info',
        'not classified': 'info',
        '5': 'critical',
        '4': 'high',
        '3': 'medium',
        '2': 'low',
        '1': 'info',
        '0': 'info',
      },
      statusMap: {
        'problem 0 no': 'firing',
        'problem 1 no': 'firing',
        'problem 0 yes': 'acknowledged',
        'problem 1 yes': 'acknowledged',
        'resolved 0 no': 'resolved',
        'resolved 0 yes': 'resolved',
        'resolved 1 no': 'resolved',
        'resolved 1 yes': 'resolved',
        'ok 0 no': 'resolved',
        'ok 0 yes': 'resolved',
      },
    },
  },

  // https://icinga.com/docs/icinga-2/latest/doc/03-monitoring-basics/#notifications
  icinga: {
    name: 'Icinga',
    docs:
      'A NotificationCommand that posts the standard payload with curl: severity $service.state$ or ' +
      '$host.state$, status $notification.type$, fingerprint of host and service name.',
    settings: nagiosLike,
  },

  // https://assets.nagios.com/downloads/nagioscore/docs/nagioscore/4/en/notifications.html
  nagios: {
    name: 'Nagios',
    docs:
      'A notification command that posts the standard payload with curl: severity $SERVICESTATE$ or ' +
      '$HOSTSTATE$, status $NOTIFICATIONTYPE$, fingerprint of host and service name.',
    settings: nagiosLike,
  },

  // https://docs.checkmk.com/latest/en/notifications.html#scripts. A script gets NOTIFY_* variables and posts them
  // unchanged, with or without the prefix, or those of a bulk notification as a list. For a host, WHAT is HOST and the
  // SERVICE… variables are missing or empty. States are long (CRITICAL) or short (CRIT).
  checkmk: {
    name: 'Checkmk',
    docs:
      'A notification script in local/share/check_mk/notifications that posts its NOTIFY_* environment ' +
      'variables as one JSON object to the ingest URL.',
    settings: {
      fieldMappings: [
        template('title', '{{NOTIFY_HOSTNAME}}{{HOSTNAME}} {{NOTIFY_SERVICEDESC}}{{SERVICEDESC}}'),
        from('description', 'NOTIFY_SERVICEOUTPUT', 'SERVICEOUTPUT', 'NOTIFY_HOSTOUTPUT', 'HOSTOUTPUT'),
        from(
          'severity',
          'NOTIFY_SERVICESTATE',
          'SERVICESTATE',
          'NOTIFY_SERVICESHORTSTATE',
          'SERVICESHORTSTATE',
          'NOTIFY_HOSTSTATE',
          'HOSTSTATE',
          'NOTIFY_HOSTSHORTSTATE',
          'HOSTSHORTSTATE',
        ),
        from('status', 'NOTIFY_NOTIFICATIONTYPE', 'NOTIFICATIONTYPE'),
        always('source', 'checkmk'),
        template(
          'fingerprint',
          'checkmk:{{NOTIFY_OMD_SITE}}{{OMD_SITE}}:{{NOTIFY_HOSTNAME}}{{HOSTNAME}}!{{NOTIFY_SERVICEDESC}}{{SERVICEDESC}}',
        ),
        from('labels.host', 'NOTIFY_HOSTNAME', 'HOSTNAME'),
        from('labels.service', 'NOTIFY_SERVICEDESC', 'SERVICEDESC'),
        from('labels.address', 'NOTIFY_HOSTADDRESS', 'HOSTADDRESS'),
        from('labels.site', 'NOTIFY_OMD_SITE', 'OMD_SITE'),
        from('annotations.comment', 'NOTIFY_NOTIFICATIONCOMMENT', 'NOTIFICATIONCOMMENT'),
        from('annotations.long_output', 'NOTIFY_LONGSERVICEOUTPUT', 'LONGSERVICEOUTPUT'),
      ],
      severityMap: { ...nagiosSeverities, crit: 'critical', warn: 'medium', unkn: 'medium', unreach: 'high' },
      statusMap: nagiosStatuses,
      defaultSeverity: 'medium',
      ignoreWhen: [...nagiosNotices('NOTIFY_NOTIFICATIONTYPE'), ...nagiosNotices('NOTIFICATIONTYPE')],
    },
  },

  // https://www.paessler.com/manuals/prtg/notifications_based_on_states_settings and the Execute HTTP Action
  // notification: a form of %placeholders. `status` can be "Down ended (now: Up)"; the current state is used.
  prtg: {
    name: 'PRTG',
    docs:
      'A notification template with Execute HTTP Action: the ingest URL and as POST data ' +
      'sensorid=%sensorid&device=%device&sensor=%name&status=%status&message=%message&priority=%priority' +
      '&link=%linksensor. Trigger it on Down and on Up.',
    settings: {
      fieldMappings: [
        template('title', '{{device}} {{sensor}}'),
        from('description', 'message'),
        from('severity', 'priority'),
        part('status', 'status', '\\(now: ([^)]+)\\)'),
        always('source', 'prtg'),
        from('fingerprint', 'sensorid'),
        from('labels.host', 'device'),
        from('labels.sensor', 'sensor'),
        from('labels.group', 'group'),
        from('labels.probe', 'probe'),
        from('annotations.url', 'link'),
      ],
      severityMap: { '*****': 'critical', '****': 'high', '***': 'medium', '**': 'low', '*': 'info' },
      // Words of the English interface; for other languages, edit these.
      statusMap: {
        down: 'firing',
        'down (partial)': 'firing',
        'down escalation': 'firing',
        warning: 'firing',
        unusual: 'firing',
        unknown: 'firing',
        'down (acknowledged)': 'acknowledged',
        paused: 'suppressed',
        up: 'resolved',
        ok: 'resolved',
      },
      defaultSeverity: 'medium',
    },
  },
});
