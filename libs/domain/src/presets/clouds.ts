/** The monitoring of cloud providers. */
import { always, from, presets } from './preset.js';

export const clouds = presets({
  // https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html. The alarm is JSON in the text
  // `Message`. Raw message delivery omits the envelope with the signature, so it is not supported.
  cloudwatch: {
    name: 'Amazon CloudWatch (SNS)',
    docs:
      "Subscribe the ingest URL to the alarms' SNS topic, protocol HTTPS, raw message delivery off, and let " +
      'alarms notify it in the ALARM and OK states.',
    settings: {
      parseJson: ['Message'],
      fieldMappings: [
        from('title', 'Message.AlarmName'),
        from('description', 'Message.NewStateReason', 'Message.AlarmDescription'),
        from('status', 'Message.NewStateValue'),
        always('source', 'aws-cloudwatch'),
        from('fingerprint', 'Message.AlarmArn'),
        from('occurredAt', 'Message.StateChangeTime'),
        from('labels.*', 'Message.Trigger.Dimensions'),
        from('labels.account', 'Message.AWSAccountId'),
        from('labels.region', 'Message.Region'),
        from('labels.namespace', 'Message.Trigger.Namespace'),
        from('labels.metric', 'Message.Trigger.MetricName'),
      ],
      // When a metric has no data, its state is unknown.
      statusMap: { alarm: 'firing', ok: 'resolved', insufficient_data: 'firing' },
      defaultSeverity: 'high',
      handshakeWhen: [{ path: 'Type', equals: 'SubscriptionConfirmation' }],
      ignoreWhen: [{ path: 'Type', equals: 'UnsubscribeConfirmation' }],
    },
  },

  // https://learn.microsoft.com/en-us/azure/azure-monitor/alerts/alerts-common-schema
  azure_monitor: {
    name: 'Azure Monitor',
    docs: 'Add an action group with a Webhook action, the ingest URL, and the common alert schema enabled.',
    settings: {
      fieldMappings: [
        from('title', 'data.essentials.alertRule'),
        from('description', 'data.essentials.description'),
        from('severity', 'data.essentials.severity'),
        from('status', 'data.essentials.monitorCondition'),
        always('source', 'azure-monitor'),
        from('fingerprint', 'data.essentials.originAlertId', 'data.essentials.alertId'),
        from('occurredAt', 'data.essentials.firedDateTime'),
        from('labels.*', 'data.customProperties', 'data.alertContext.properties'),
        from('labels.resource', 'data.essentials.configurationItems.0'),
        from('labels.signal', 'data.essentials.signalType'),
        from('labels.metric', 'data.alertContext.condition.allOf.0.metricName'),
        from('annotations.target', 'data.essentials.alertTargetIDs.0'),
      ],
      severityMap: { sev0: 'critical', sev1: 'high', sev2: 'medium', sev3: 'low', sev4: 'info' },
      statusMap: { fired: 'firing', resolved: 'resolved' },
    },
  },

  // https://cloud.google.com/monitoring/support/notification-options#webhooks. The severity belongs to the policy and
  // may be unset.
  google_cloud: {
    name: 'Google Cloud Monitoring',
    docs:
      'Alerting, Edit notification channels: add a Webhook with the ingest URL, and choose it in the alerting ' +
      'policies.',
    settings: {
      fieldMappings: [
        from('title', 'incident.condition_name', 'incident.policy_name', 'incident.summary'),
        from('description', 'incident.summary', 'incident.documentation.content'),
        from('severity', 'incident.severity', 'incident.policy_user_labels.severity'),
        from('status', 'incident.state'),
        always('source', 'google-cloud'),
        from('fingerprint', 'incident.incident_id'),
        from('occurredAt', 'incident.started_at'),
        from('labels.*', 'incident.policy_user_labels'),
        from('labels.*', 'incident.resource.labels'),
        from('labels.project', 'incident.scoping_project_id'),
        from('labels.resource', 'incident.resource_display_name', 'incident.resource_name'),
        from('labels.resource_type', 'incident.resource.type', 'incident.resource_type_display_name'),
        from('labels.metric', 'incident.metric.type'),
        from('labels.policy', 'incident.policy_name'),
        from('labels.condition', 'incident.condition_name'),
        from('annotations.url', 'incident.url'),
        from('annotations.threshold', 'incident.threshold_value'),
        from('annotations.value', 'incident.observed_value'),
      ],
      severityMap: { critical: 'critical', error: 'high', warning: 'medium' },
      statusMap: { open: 'firing', closed: 'resolved' },
      defaultSeverity: 'high',
      // The "send test notification" button.
      ignoreWhen: [{ path: 'version', equals: 'test' }],
    },
  },
});
