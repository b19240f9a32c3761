/** Tools that send to another paging service: their requests are accepted unchanged. */
import { from, presets, template } from './preset.js';

export const paging = presets({
  // https://developer.pagerduty.com/docs/events-api-v2-overview. Acknowledge and resolve contain only the key.
  pagerduty_events_v2: {
    name: 'PagerDuty Events API v2',
    docs:
      'For any tool that sends PagerDuty events: use {base_url}/v2/enqueue in place of ' +
      'https://events.pagerduty.com/v2/enqueue, and the token in place of the routing key.',
    settings: {
      fieldMappings: [
        from('title', 'payload.summary'),
        template('title', 'PagerDuty event {{dedup_key}}'),
        from('severity', 'payload.severity'),
        from('status', 'event_action'),
        from('source', 'payload.source'),
        from('fingerprint', 'dedup_key'),
        from('labels.*', 'payload.custom_details'),
        from('occurredAt', 'payload.timestamp'),
        from('labels.component', 'payload.component'),
        from('labels.group', 'payload.group'),
        from('labels.class', 'payload.class'),
        from('annotations.link', 'links.0.href'),
        from('annotations.link_2', 'links.1.href'),
        from('annotations.link_3', 'links.2.href'),
        from('annotations.image', 'images.0.src'),
        from('annotations.image_2', 'images.1.src'),
        from('annotations.client_url', 'client_url'),
      ],
      severityMap: { critical: 'critical', error: 'high', warning: 'medium', info: 'info' },
      statusMap: { trigger: 'firing', acknowledge: 'acknowledged', resolve: 'resolved' },
      // For acknowledgements, which have no severity. The API refuses a trigger without one (drop-in.ts).
      defaultSeverity: 'info',
    },
  },

  // https://docs.opsgenie.com/docs/alert-api#create-alert, and
  // https://docs.opsgenie.com/docs/opsgenie-edge-connector-alert-action-data for what Opsgenie itself posts (`action`
  // and `alert`). In the API, a close request names its alert only in the URL; the ingest gateway adds both to the
  // payload.
  opsgenie: {
    name: 'Opsgenie',
    docs:
      'For any tool that creates Opsgenie alerts: use {base_url} in place of https://api.opsgenie.com, and the ' +
      'token in place of the API key. For Opsgenie itself: an outgoing Webhook integration with the ingest URL.',
    settings: {
      fieldMappings: [
        from('title', 'message', 'alert.message'),
        from('description', 'description', 'alert.description'),
        from('severity', 'priority', 'alert.priority'),
        from('status', 'action'),
        from('source', 'alert.source', 'source'),
        from('fingerprint', 'alias', 'alert.alias', 'alert.alertId'),
        from('labels.*', 'details', 'alert.details'),
        from('occurredAt', 'alert.createdAt'),
        from('labels.entity', 'entity', 'alert.entity'),
        from('annotations.note', 'note'),
        from('annotations.user', 'user'),
      ],
      severityMap: { p1: 'critical', p2: 'high', p3: 'medium', p4: 'low', p5: 'info' },
      statusMap: {
        create: 'firing',
        unacknowledge: 'firing',
        acknowledge: 'acknowledged',
        close: 'resolved',
        delete: 'resolved',
      },
      defaultSeverity: 'medium',
      ignoreWhen: [
        'AddNote',
        'AddTags',
        'RemoveTags',
        'AddDetails',
        'RemoveDetails',
        'AddTeam',
        'RemoveTeam',
        'AddRecipient',
        'AddResponder',
        'RemoveResponder',
        'Assign',
        'AssignOwnership',
        'TakeOwnership',
        'Escalate',
        'EscalateNext',
        'EscalateToNext',
        'Snooze',
        'SnoozeEnded',
        'UnSnooze',
        'ExecuteCustomAction',
        'SeenByRecipient',
        'UpdateEntity',
        'UpdateSource',
        'UpdateDetails',
        'UpdatePriority',
        'UpdateMessage',
        'UpdateDescription',
      ].map((equals) => ({ path: 'action', equals })),
    },
  },
});
