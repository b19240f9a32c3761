/** Metrics, logs and errors: systems that evaluate rules over collected data. */
import { always, from, part, presets, template } from './preset.js';

/**
 * The node of a message of Netdata Cloud, from two lines: the URL with /nodes/<node>, or the message with "on <node>",
 * "node <node>" or "host <node>". Empty when neither names it.
 */
const netdataNode = [
  String.raw`(?:[^\n]*/nodes/([^/?#\n]+)`,
  String.raw`[^\n]*\n.*?\b(?:on|node|host):? (?:node |host )?["'*\x60]*(\w[\w.:-]*\w)`,
  String.raw`()[^\n]*\n.*$)`,
].join('|');

/** Each rule type of Kibana has its own action groups; one of them is `recovered`. */
const kibanaActionGroup =
  '{{action_group}}{{actionGroup}}{{alert.actionGroup}}{{alert.action_group}}{{alertActionGroup}}';
const kibanaStatus = String.raw`(?i)^active .*\b(recovered|untracked|resolved)\b|^(active)`;

export const observability = presets({
  // https://prometheus.io/docs/alerting/latest/configuration/#webhook_config. The top-level status is firing while any
  // alert of the group is firing: each alert has its own status. Severity is an optional label that rules define
  // freely.
  alertmanager: {
    name: 'Prometheus Alertmanager',
    docs:
      'Add a receiver with webhook_configs, url the ingest URL and send_resolved true. Works for ' +
      'VictoriaMetrics, Mimir, Loki and SigNoz too.',
    settings: {
      itemsPath: 'alerts',
      fieldMappings: [
        from('title', 'annotations.summary', 'annotations.title', 'labels.alertname'),
        from('description', 'annotations.description', 'annotations.message'),
        from('severity', 'labels.severity', 'labels.priority'),
        from('status', 'status'),
        from('source', '$.externalURL'),
        from('fingerprint', 'fingerprint'),
        from('occurredAt', 'startsAt'),
        from('labels.*', 'labels'),
        from('annotations.*', 'annotations'),
        from('annotations.generator_url', 'generatorURL'),
      ],
      severityMap: { page: 'critical', ticket: 'low', none: 'info' },
      defaultSeverity: 'medium',
    },
  },

  // https://grafana.com/docs/grafana/latest/alerting/configure-notifications/manage-contact-points/integrations/webhook-notifier/
  // Alertmanager's format with more fields. DatasourceNoData and DatasourceError are separate alerts without a severity
  // label.
  grafana: {
    name: 'Grafana',
    docs: 'Alerting, Contact points: add a contact point of type Webhook with the ingest URL, method POST.',
    settings: {
      itemsPath: 'alerts',
      fieldMappings: [
        from('title', 'annotations.summary', 'labels.rulename', 'labels.alertname'),
        from('description', 'annotations.description', 'annotations.message'),
        from('severity', 'labels.severity', 'labels.priority'),
        from('status', 'status'),
        from('source', '$.externalURL'),
        from('fingerprint', 'fingerprint'),
        from('occurredAt', 'startsAt'),
        from('labels.*', 'labels'),
        from('annotations.*', 'annotations'),
        from('annotations.generator_url', 'generatorURL'),
        from('annotations.silence_url', 'silenceURL'),
        from('annotations.dashboard_url', 'dashboardURL'),
        from('annotations.panel_url', 'panelURL'),
        from('annotations.image_url', 'imageURL'),
      ],
      defaultSeverity: 'medium',
    },
  },

  // https://docs.datadoghq.com/integrations/webhooks/#variables. The body is the user's template. The title contains
  // the transition, so it differs on recovery. A monitor without a priority sends ""; then the kind of event gives the
  // severity.
  datadog: {
    name: 'Datadog',
    docs:
      'Integrations, Webhooks: the ingest URL, with this payload: ' +
      '{"title":"$EVENT_TITLE","body":"$EVENT_MSG","severity":"$ALERT_PRIORITY","alert_type":"$ALERT_TYPE",' +
      '"alert_transition":"$ALERT_TRANSITION","alert_cycle_key":"$ALERT_CYCLE_KEY","alert_query":"$ALERT_QUERY",' +
      '"monitor_id":"$ALERT_ID","url":"$LINK","tags":"$TAGS"}. ' +
      'Then mention @webhook-<name> in monitors.',
    settings: {
      fieldMappings: [
        part('title', 'title', '^\\[[^\\]]*\\]\\s*(.+)$'),
        from('description', 'body'),
        from('severity', 'severity', 'alert_type'),
        from('status', 'alert_transition'),
        always('source', 'datadog'),
        from('fingerprint', 'alert_cycle_key', 'aggreg_key'),
        from('labels.*', 'tags'),
        from('labels.monitor_id', 'monitor_id'),
        from('annotations.url', 'url'),
        from('annotations.query', 'alert_query'),
      ],
      severityMap: {
        p1: 'critical',
        p2: 'high',
        p3: 'medium',
        p4: 'low',
        p5: 'info',
        error: 'high',
        warning: 'medium',
        info: 'info',
        success: 'info',
      },
      statusMap: {
        triggered: 'firing',
        're-triggered': 'firing',
        renotify: 'firing',
        warn: 'firing',
        're-warn': 'firing',
        'no data': 'firing',
        're-no data': 'firing',
        recovered: 'resolved',
      },
    },
  },

  // https://docs.newrelic.com/docs/alerts/get-notified/notification-integrations/#webhook (the default template)
  new_relic: {
    name: 'New Relic',
    docs:
      'Alerts, Destinations: add a Webhook with the ingest URL, then a workflow that notifies it with the ' +
      'default payload.',
    settings: {
      fieldMappings: [
        from('title', 'title'),
        from('severity', 'priority'),
        from('status', 'state'),
        always('source', 'newrelic'),
        from('fingerprint', 'id'),
        from('occurredAt', 'createdAt'),
        from('labels.policy', 'alertPolicyNames.0'),
        from('labels.condition', 'alertConditionNames.0'),
        from('labels.entity', 'impactedEntities.0'),
        from('annotations.url', 'issueUrl'),
        from('annotations.chart', 'violationChartUrl'),
      ],
      statusMap: {
        created: 'firing',
        activated: 'firing',
        acknowledged: 'acknowledged',
        closed: 'resolved',
        deactivated: 'resolved',
      },
    },
  },

  // https://docs.sentry.io/organization/integrations/integration-platform/webhooks/. Three formats are sent to one URL:
  // issue alerts (data.event), issues (data.issue), which resolve an issue alert, and metric alerts
  // (data.metric_alert), whose action is both severity and status. The `fingerprint` of an event is a grouping setting
  // and the same for all.
  sentry: {
    name: 'Sentry',
    docs:
      'Settings, Custom Integrations: an internal integration with the ingest URL as webhook, alert rule ' +
      'action on, and the issue webhook.',
    settings: {
      fieldMappings: [
        from('title', 'data.event.title', 'data.issue.title', 'data.metric_alert.title', 'data.description_title'),
        from('description', 'data.event.culprit', 'data.issue.culprit', 'data.description_text', 'data.event.message'),
        from('severity', 'data.event.level', 'data.issue.level', 'action'),
        from('status', 'action'),
        always('source', 'sentry'),
        from('fingerprint', 'data.event.issue_id', 'data.issue.id'),
        from('occurredAt', 'data.event.datetime'),
        template('fingerprint', 'metric_alert:{{data.metric_alert.id}}'),
        from('labels.*', 'data.event.tags'),
        from('labels.project', 'data.issue.project.slug', 'data.metric_alert.projects.0'),
        from('annotations.url', 'data.event.web_url', 'data.issue.web_url', 'data.web_url'),
      ],
      severityMap: {
        fatal: 'critical',
        critical: 'critical',
        error: 'high',
        warning: 'medium',
        info: 'info',
        debug: 'info',
        sample: 'info',
      },
      statusMap: {
        triggered: 'firing',
        created: 'firing',
        unresolved: 'firing',
        critical: 'firing',
        warning: 'firing',
        resolved: 'resolved',
        // Archived until it gets worse; then Sentry sends unresolved.
        archived: 'resolved',
        ignored: 'resolved',
      },
      ignoreWhen: [{ path: 'action', equals: 'assigned' }],
    },
  },

  // https://www.elastic.co/guide/en/kibana/current/rule-action-variables.html. The body is the user's template: flat
  // names (`rule_id`), names in camel case, or the variables as they are nested (`rule.id`).
  elastic: {
    name: 'Elastic (Kibana)',
    docs:
      'Stack Management, Connectors: a Webhook connector with the ingest URL. In each rule add it for the ' +
      'active and the recovered group with the body ' +
      '{"rule_id":"{{rule.id}}","rule_name":"{{rule.name}}","alert_id":"{{alert.id}}",' +
      '"action_group":"{{alert.actionGroup}}","reason":"{{context.reason}}","url":"{{rule.url}}","severity":"high"}.',
    settings: {
      fieldMappings: [
        from('title', 'rule_name', 'rule.name', 'ruleName', 'title'),
        from('description', 'reason', 'context.reason', 'message', 'context.message', 'description'),
        from('severity', 'severity', 'priority', 'context.severity'),
        { target: 'status', template: `active ${kibanaActionGroup}`, extract: kibanaStatus },
        from('status', 'status'),
        from('occurredAt', 'started_at', 'alert.start', 'context.alertStart'),
        always('source', 'elastic'),
        template(
          'fingerprint',
          '{{rule_id}}{{rule.id}}{{ruleId}}:{{alert_id}}{{alert.id}}{{alertId}}{{alertInstanceId}}',
        ),
        from('labels.*', 'context.labels'),
        from('labels.rule', 'rule_name', 'rule.name', 'ruleName'),
        from('labels.alert', 'alert_id', 'alert.id', 'alertId', 'alertInstanceId'),
        from('labels.host', 'context.host.name', 'context.host.hostname', 'host.name'),
        from('labels.space', 'space_id', 'rule.spaceId', 'spaceId'),
        from('annotations.url', 'alert_url', 'context.alertDetailsUrl', 'alertDetailsUrl', 'url', 'rule.url'),
      ],
      statusMap: { active: 'firing', recovered: 'resolved', untracked: 'resolved', flapping: 'firing' },
      defaultSeverity: 'high',
    },
  },

  // https://learn.netdata.cloud/docs/alerting/notifications/centralized-cloud-notifications/webhook. Only messages
  // about reachability have a field for the node.
  netdata: {
    name: 'Netdata Cloud',
    docs: 'Space settings, Alerts & Notifications: add a Webhook with the ingest URL.',
    settings: {
      fieldMappings: [
        from('title', 'message', 'alert', 'alarm'),
        from('description', 'info'),
        from('severity', 'severity'),
        from('status', 'status.text', 'severity'),
        always('source', 'netdata'),
        {
          target: 'fingerprint',
          template:
            '{{space}}/{{host}}/{{context}}/{{chart}}/{{alert}}{{alarm}}\n{{alert_url}}{{alarm_url}}\n{{message}}',
          extract: String.raw`^([^\n]*)\n${netdataNode}`,
        },
        from('occurredAt', 'date'),
        from('labels.alert', 'alert', 'alarm'),
        from('labels.chart', 'chart'),
        from('labels.context', 'context'),
        from('labels.family', 'family'),
        from('labels.class', 'class'),
        from('labels.space', 'space'),
        from('labels.host', 'host'),
        { target: 'labels.host', template: '{{alert_url}}{{alarm_url}}\n{{message}}', extract: netdataNode },
        from('annotations.url', 'alert_url', 'alarm_url', 'url'),
      ],
      statusMap: {
        warning: 'firing',
        critical: 'firing',
        unreachable: 'firing',
        clear: 'resolved',
        reachable: 'resolved',
      },
      // The message with which Netdata verifies the URL contains only a token.
      ignoreWhen: [{ path: 'severity', missing: true }],
    },
  },

  // https://learn.netdata.cloud/docs/alerts-and-notifications/notifications/agent-alert-notifications/custom-endpoint:
  // the agent itself has no webhook, but calls a function of the user with its variables. A form needs no quoting of
  // JSON in a shell.
  netdata_agent: {
    name: 'Netdata agent',
    docs:
      'In health_alarm_notify.conf: SEND_CUSTOM="YES", DEFAULT_RECIPIENT_CUSTOM="<ingest URL>", and the function ' +
      'custom_sender() { for field in host name chart family status old_status value_string info classification ' +
      'when goto_url; do set -- "$@" --data-urlencode "${field}=${!field}"; done; local url="$1"; shift; ' +
      'docurl -X POST "$@" "${url}"; sent=$((sent + 1)); }. Test it with alarm-notify.sh test.',
    settings: {
      fieldMappings: [
        template('title', '{{name}} on {{host}}'),
        from('description', 'info', 'status_message'),
        from('severity', 'status'),
        from('status', 'status'),
        always('source', 'netdata'),
        // The ids of the agent may change when it starts again.
        template('fingerprint', '{{host}}/{{chart}}/{{name}}'),
        from('occurredAt', 'when'),
        from('labels.host', 'host'),
        from('labels.alert', 'name'),
        from('labels.chart', 'chart'),
        from('labels.family', 'family'),
        from('labels.class', 'classification'),
        from('annotations.value', 'value_string', 'value'),
        from('annotations.url', 'goto_url'),
      ],
      statusMap: { warning: 'firing', critical: 'firing', clear: 'resolved', removed: 'resolved' },
      ignoreWhen: ['UNINITIALIZED', 'UNDEFINED'].map((equals) => ({ path: 'status', equals })),
    },
  },

  // https://docs.dynatrace.com/docs/analyze-explore-automate/notifications-and-alerting/problem-notifications/webhook-integration
  dynatrace: {
    name: 'Dynatrace',
    docs:
      'Settings, Integration, Problem notifications: a custom integration with the ingest URL, also when ' +
      'problems close, and the payload ' +
      '{"State":"{State}","PID":"{PID}","ProblemID":"{ProblemID}","ProblemTitle":"{ProblemTitle}",' +
      '"ProblemSeverity":"{ProblemSeverity}","ProblemDetailsText":"{ProblemDetailsText}",' +
      '"ImpactedEntity":"{ImpactedEntity}","ProblemURL":"{ProblemURL}","Tags":"{Tags}"}.',
    settings: {
      fieldMappings: [
        from('title', 'ProblemTitle'),
        from('description', 'ProblemDetailsText', 'ProblemDetails'),
        from('severity', 'ProblemSeverity'),
        from('status', 'State', 'ProblemStatus'),
        always('source', 'dynatrace'),
        from('fingerprint', 'PID', 'ProblemID'),
        from('labels.*', 'Tags'),
        from('labels.entity', 'ImpactedEntity'),
        from('labels.impact', 'ProblemImpact'),
        from('labels.problem', 'ProblemID'),
        from('annotations.url', 'ProblemURL'),
      ],
      severityMap: {
        monitoring_unavailable: 'critical',
        availability: 'critical',
        error: 'high',
        performance: 'medium',
        resource_contention: 'medium',
        custom_alert: 'medium',
        info: 'info',
      },
      statusMap: { open: 'firing', merged: 'firing', resolved: 'resolved' },
      defaultSeverity: 'medium',
    },
  },

  // https://help.splunk.com/en/splunk-enterprise/alert-and-respond/alerting-manual/10.0/configure-alert-actions/use-a-webhook-alert-action
  // Splunk reports when a search matches, but not when it no longer matches. Labels can only come from the first row of
  // the result.
  splunk: {
    name: 'Splunk',
    docs:
      'Edit the alert, Add actions, Webhook: the ingest URL. Splunk never sends a recovery: set ' +
      'autoResolveAfterSeconds.',
    settings: {
      fieldMappings: [
        from('title', 'search_name', 'result.title'),
        template('title', 'Splunk search {{sid}}'),
        from('description', 'result.description', 'result._raw'),
        from('severity', 'result.severity', 'result.urgency'),
        from('status', 'result.status'),
        always('source', 'splunk'),
        template('fingerprint', '{{search_name}}{{result.host}}'),
        from('labels.host', 'result.host'),
        from('labels.sourcetype', 'result.sourcetype'),
        from('labels.app', 'app'),
        from('labels.owner', 'owner'),
        from('annotations.url', 'results_link'),
      ],
      defaultSeverity: 'medium',
    },
  },
});
