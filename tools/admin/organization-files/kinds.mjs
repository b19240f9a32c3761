// What the file of an organization has: the kinds of its lines, in the order in which they are written and read, each
// with its table and all columns of it. A record comes after those to which its foreign keys refer.
//
//   columns       in the file
//   leftOut       columns that are not in the file, with the reason; an import leaves them null
//   order         columns by which the lines are ordered
//   memberColumns members without a foreign key, because one who was deleted stays in records of the past
//   later         a foreign key to a record that may come later: set when all lines are stored
//   global        columns with a value that no other organization may have: { column, what, with: other columns of the
//                 same table that may not have it either }
//   history       not with --configuration-only; `since`: which rows --since takes ($2 is the time). Without `since` all
//   monthly       the column with a UUIDv7 by which the table is partitioned
//   large         rows may have a megabyte
//   secrets       (row, replace, tools): the row with what `replace` gives for each secret
//   computed      (row, target): columns that depend on the installation
//   quiet         (row, at, tools): the row as an import without --resume stores it; null when it stays as it is
//
// A test compares the tables and columns with those of the database (apps/e2e/src/organization-kinds.spec.ts).

const words = (text) => text.trim().split(/\s+/);
const tenant = 'organization_id environment';
const record = `id ${tenant}`;
const versioned = 'created_at updated_at version';

const open = "status <> 'resolved'";
const incidentStays = (i) =>
  `(${i}.${open} OR ${i}.updated_at >= $2 OR EXISTS (SELECT FROM alerts.alerts of_it
     WHERE of_it.incident_id = ${i}.id AND (of_it.${open} OR of_it.updated_at >= $2)))`;
const alertStays = (a) =>
  `(${a}.${open} OR ${a}.updated_at >= $2 OR EXISTS (SELECT FROM alerts.incidents its
     WHERE its.id = ${a}.incident_id AND ${incidentStays('its')}))`;
const ofIncident = (column) =>
  `EXISTS (SELECT FROM alerts.incidents i WHERE i.id = ${column} AND ${incidentStays('i')})`;
const ofAlert = (column) => `EXISTS (SELECT FROM alerts.alerts a WHERE a.id = ${column} AND ${alertStays('a')})`;

const id = { column: 'id', what: 'id' };

const importNote = 'the organization was imported before';
/** How long an import without --resume holds back what would page, in milliseconds. */
export const heldMs = 3_600_000;

const sealedIn = (column, replaced) => (row, replace, tools) => ({
  ...row,
  [column]: row[column].map((one) => replaced(one, replace, tools)),
});
const partition = (row, { organizationId, partitions, partitionOf }, fingerprint) => ({
  partition: partitionOf(organizationId, row.environment, fingerprint, partitions),
});

export const kinds = [
  {
    kind: 'organization',
    table: 'auth.organizations',
    columns: words('id name slug limits created_at updated_at version'),
    order: ['id'],
    global: [id, { column: 'slug', what: 'slug' }],
  },
  {
    kind: 'member',
    table: 'auth.members',
    columns: words(`id organization_id name email role status timezone contact_methods external_id ${versioned}`),
    leftOut: { account_id: 'with what a member signs in belongs to the person and to the installation' },
    order: ['id'],
    global: [id],
  },
  {
    kind: 'mailRecipient',
    table: 'auth.mail_recipients',
    columns: words(
      'id organization_id kind value key status reason token verified_by verified_at stopped_at created_at updated_at',
    ),
    order: ['id'],
    global: [id],
  },
  {
    kind: 'apiKey',
    table: 'auth.api_keys',
    columns: words(
      `${record} name scopes key_prefix key_hash client_ids team_ids created_by created_at expires_at last_used_at
       revoked_at`,
    ),
    order: ['id'],
    global: [id, { column: 'key_hash', what: 'secret' }],
  },
  {
    kind: 'defaultsMade',
    table: 'resources.defaults_made',
    columns: words('organization_id pages policies'),
    order: ['organization_id'],
  },
  {
    kind: 'client',
    table: 'resources.clients',
    columns: words(`${record} name slug description external_id aliases contacts timezone deleted_at ${versioned}`),
    order: ['id'],
    global: [id],
  },
  {
    kind: 'clientName',
    table: 'resources.client_names',
    columns: words(`${tenant} name client_id`),
    order: ['environment', 'name'],
  },
  {
    kind: 'team',
    table: 'resources.teams',
    columns: words(`${record} name slug description policy_id ${versioned}`),
    order: ['id'],
    global: [id],
    later: 'policy_id',
  },
  {
    kind: 'teamMember',
    table: 'resources.team_members',
    columns: words(`${tenant} team_id member_id role position`),
    order: ['team_id', 'member_id'],
  },
  {
    kind: 'escalationPolicy',
    table: 'resources.escalation_policies',
    columns: words(`${record} name description team_id levels repeat ack_timeout_seconds ${versioned}`),
    order: ['id'],
    global: [id],
    secrets: sealedIn('levels', (level, replace, { replacedInLevel }) => replacedInLevel(level, replace)),
  },
  {
    kind: 'organizationSettings',
    table: 'resources.organization_settings',
    columns: words(
      `${tenant} catch_all_policy_id high_urgency_severities flap default_window_seconds updated_at version`,
    ),
    order: ['environment'],
  },
  {
    kind: 'schedule',
    table: 'resources.schedules',
    columns: words(
      `${record} name description team_id timezone layer_mode layers planned_gaps effective_from ${versioned}`,
    ),
    order: ['id'],
    global: [id],
  },
  {
    kind: 'scheduleVersion',
    table: 'resources.schedule_versions',
    columns: words(`${tenant} schedule_id effective_from effective_until timezone layer_mode layers planned_gaps`),
    order: ['schedule_id', 'effective_until'],
  },
  {
    kind: 'scheduleMember',
    table: 'resources.schedule_members',
    columns: words(`${tenant} schedule_id member_id`),
    order: ['schedule_id', 'member_id'],
  },
  {
    kind: 'scheduleOverride',
    table: 'resources.schedule_overrides',
    columns: words(`${record} schedule_id member_id replaces_member_id starts_at ends_at reason created_by created_at`),
    memberColumns: ['member_id', 'replaces_member_id'],
    order: ['id'],
    global: [id],
  },
  {
    kind: 'calendarFeed',
    table: 'resources.calendar_feeds',
    columns: words(`${record} schedule_id member_id token_hash created_by created_at`),
    order: ['id'],
    global: [id, { column: 'token_hash', what: 'token' }],
  },
  {
    kind: 'policyReference',
    table: 'resources.policy_references',
    columns: words(`${tenant} policy_id schedule_id member_id team_id`),
    order: ['policy_id', 'schedule_id', 'member_id', 'team_id'],
  },
  {
    kind: 'workflow',
    table: 'resources.workflows',
    columns: words(`${record} name description team_id enabled events conditions steps ${versioned}`),
    order: ['id'],
    global: [id],
    secrets: sealedIn('steps', (step, replace, { replacedInStep }) => replacedInStep(step, replace)),
  },
  {
    kind: 'workflowReference',
    table: 'resources.workflow_references',
    columns: words(`${tenant} workflow_id schedule_id member_id policy_id`),
    order: ['workflow_id', 'schedule_id', 'member_id', 'policy_id'],
  },
  {
    kind: 'suppressionWindow',
    table: 'resources.suppression_windows',
    columns: words(
      `${record} name reason team_id enabled matchers match_all client_ids integration_ids except_severities starts_at
       ends_at timezone rrule duration_seconds until_time excluded_dates on_end created_by ${versioned}`,
    ),
    order: ['id'],
    global: [id],
  },
  {
    kind: 'view',
    table: 'resources.views',
    columns: words(`${record} name page query position visibility owner_id team_id ${versioned}`),
    order: ['id'],
    global: [id],
  },
  {
    kind: 'integration',
    table: 'resources.integrations',
    columns: words(
      `${record} name type enabled client_id team_id token_hash token_hint previous_token_hash
       previous_token_expires_at settings dedup_scope auto_resolve_after_seconds deleted_at ${versioned}`,
    ),
    order: ['id'],
    global: [
      id,
      { column: 'token_hash', what: 'token', with: ['token_hash', 'previous_token_hash'] },
      { column: 'previous_token_hash', what: 'previous token', with: ['token_hash', 'previous_token_hash'] },
    ],
  },
  {
    kind: 'integrationActivity',
    table: 'resources.integration_activity',
    columns: words(`${tenant} integration_id last_event_at limited_at limited_count`),
    order: ['integration_id'],
  },
  {
    kind: 'heartbeat',
    table: 'alerts.heartbeats',
    columns: words(
      `${tenant} integration_id name enabled interval_seconds settings sender partition created_at last_ping_at
       waiting_since expired_at`,
    ),
    order: ['environment', 'integration_id', 'name'],
    computed: (row, target) => partition(row, target, target.heartbeatFingerprint(row.name)),
    // It waits for its first ping here, as a new one does.
    quiet: (row) => (row.waiting_since === null ? null : { ...row, waiting_since: null }),
  },
  {
    kind: 'incidentNumber',
    table: 'alerts.incident_numbers',
    columns: words('organization_id last'),
    order: ['organization_id'],
  },
  {
    kind: 'incident',
    table: 'alerts.incidents',
    columns: words(
      `${record} number title summary severity severity_by urgency status client_id assignee_ids workflow_id group_key
       policy_id escalation paging snoozed_until due_at auto_resolve alert_count open_alert_count opened_by last_alert_at
       merged_into triggered_at acknowledged_at acknowledged_by resolved_at resolved_by ${versioned}`,
    ),
    order: ['id'],
    global: [id],
    later: 'merged_into',
    history: true,
    since: incidentStays('r'),
    columnsSince: {
      merged_into: `(SELECT target.id FROM alerts.incidents target WHERE target.id = r.merged_into AND ${incidentStays('target')})`,
    },
    quiet: (row, at) => heldIncident(row, at),
  },
  {
    kind: 'alert',
    table: 'alerts.alerts',
    columns: words(
      `${record} partition fingerprint fingerprint_source dedup_scope title description status severity source labels
       annotations client_id integration_id integration_name incident_id assignee_id occurrence_count first_occurred_at
       last_occurred_at acknowledged_at acknowledged_by resolved_at resolved_by resolve_reason suppression
       auto_resolve_after_seconds auto_resolve_at previous_alert_id ${versioned}`,
    ),
    order: ['id'],
    global: [id],
    history: true,
    since: alertStays('r'),
    computed: (row, target) => partition(row, target, row.fingerprint),
  },
  {
    kind: 'incidentEntry',
    table: 'alerts.incident_timeline',
    columns: words(`${record} incident_id incident_version type occurred_at actor cause changes note`),
    order: ['id'],
    global: [id],
    history: true,
    since: ofIncident('r.incident_id'),
    monthly: 'id',
  },
  {
    kind: 'alertEntry',
    table: 'alerts.timeline',
    columns: words(`${record} alert_id alert_version type occurred_at actor cause changes note`),
    order: ['id'],
    global: [id],
    history: true,
    since: ofAlert('r.alert_id'),
    monthly: 'id',
  },
  {
    kind: 'page',
    table: 'alerts.pages',
    columns: words(
      `${record} incident_id alert_id kind stage episode round level policy_id policy_name why recipients created_at`,
    ),
    order: ['id'],
    global: [id],
    history: true,
    since: ofIncident('r.incident_id'),
    secrets: sealedIn('recipients', (recipient, replace, { replacedInDestination }) => ({
      ...recipient,
      destination: replacedInDestination(recipient.destination, replace),
    })),
  },
  {
    kind: 'event',
    table: 'alerts.events',
    columns: words(`${record} integration_id alert_id outcome received_at event`),
    order: ['id'],
    global: [id],
    history: true,
    since: 'r.received_at >= $2',
    monthly: 'id',
    large: true,
  },
  {
    kind: 'windowCount',
    table: 'alerts.window_counts',
    columns: words(`${tenant} window_id partition n`),
    order: ['window_id', 'partition'],
    history: true,
  },
  {
    kind: 'request',
    table: 'resources.requests',
    columns: words(
      `${record} integration_id received_at request_id api operation alert_key content_type payload packed_payload items
       outcome status note`,
    ),
    order: ['id'],
    global: [id],
    history: true,
    since: 'r.received_at >= $2',
    large: true,
  },
  {
    kind: 'decision',
    table: 'workflows.considered',
    columns: words(`event_id ${tenant} alert_id incident_id event_type occurred_at workflows`),
    order: ['event_id'],
    global: [{ column: 'event_id', what: 'id' }],
    history: true,
    since: `(r.occurred_at >= $2 OR r.occurred_at > now() - interval '2 days')`,
    monthly: 'event_id',
  },
  {
    kind: 'run',
    table: 'workflows.runs',
    columns: words(
      `${record} workflow_id workflow_name workflow_version event_id event_type event_data root_event_id occurred_at
       depth alert_id incident_id subject_id subject_version status trace steps next_step results joined
       previous_done_at due_at message_error error created_at finished_at`,
    ),
    order: ['id'],
    global: [id],
    history: true,
    since: '(r.finished_at IS NULL OR r.created_at >= $2)',
    large: true,
    secrets: sealedIn('steps', (step, replace, { replacedInStep }) => replacedInStep(step, replace)),
    quiet: (row, at) =>
      row.finished_at === null
        ? { ...row, status: 'failed', finished_at: at, due_at: null, error: `${importNote} the run had ended` }
        : null,
  },
  {
    kind: 'pageRequest',
    table: 'workflows.page_requests',
    columns: words(
      `${record} alert_id event_id workflow_id workflow_name incident_id outcome reason notification_ids asked_at
       ended_at repairs repaired_at`,
    ),
    order: ['id'],
    global: [id],
    history: true,
    since: '(r.outcome IS NULL OR r.asked_at >= $2)',
    // Those with an incident end with it.
    quiet: (row, at) =>
      row.outcome === null && row.incident_id === null
        ? { ...row, outcome: 'nobody', ended_at: at, reason: 'The organization was imported before anybody was told.' }
        : null,
  },
  {
    kind: 'notification',
    table: 'workflows.notifications',
    columns: words(
      `${record} run_id step_id workflow_id workflow_name alert_id incident_id page_id member_id channel target
       destination notice stop_when event_data subject_version order_key waits_in_order why status reason attempts
       next_attempt_at created_at updated_at`,
    ),
    order: ['id'],
    global: [id],
    history: true,
    since: `(r.status = 'queued' OR r.created_at >= $2)`,
    monthly: 'id',
    secrets: (row, replace, { replacedInDestination }) => ({
      ...row,
      destination: replacedInDestination(row.destination, replace),
    }),
    quiet: (row, at) =>
      row.status === 'queued'
        ? {
            ...row,
            status: 'skipped',
            reason: `${importNote} it was sent`,
            waits_in_order: false,
            next_attempt_at: null,
            updated_at: at,
          }
        : null,
  },
];

/**
 * An open incident that would page is acknowledged for some time, in the name of the command: nobody is paged because of
 * the import, and nothing that still fires is forgotten.
 */
function heldIncident(row, at) {
  const { status, escalation, paging } = row;
  if (status === 'resolved' || paging === null) return null;
  const until = new Date(Date.parse(at) + heldMs).toISOString();
  const later = (time) => (time === null || Date.parse(time) >= Date.parse(until) ? time : until);
  const calm = { ...paging, remainingMs: null, joined: null, flappingUntil: null, refireAt: null };
  if (status === 'acknowledged') {
    const nextAt = later(escalation.nextAt);
    return {
      ...row,
      escalation: { ...escalation, nextAt },
      paging: calm,
      snoozed_until: later(row.snoozed_until),
      due_at: nextAt,
    };
  }
  if (escalation.state === 'paused' || escalation.state === 'exhausted')
    return { ...row, paging: { ...calm, remainingMs: paging.remainingMs }, due_at: null };
  return {
    ...row,
    status: 'acknowledged',
    escalation: { ...escalation, state: 'waiting', nextAt: until },
    paging: calm,
    snoozed_until: until,
    due_at: until,
    acknowledged_at: at,
    acknowledged_by: { type: 'service', id: null, name: 'admin' },
    updated_at: at,
    version: row.version + 1,
  };
}

/** Sealed with the passphrase of the operator, and only with it in the file: see secrets.mjs. */
export const dataKeyKind = {
  kind: 'dataKey',
  table: 'resources.data_keys',
  columns: words(`${tenant} created_at sealed`),
};

/** All other tables of the services, and why they are not in the file. */
export const notExported = {
  'auth.account_mails': 'mails that wait',
  'auth.account_tokens': 'links that have been sent, to the installation that sent them',
  'auth.accounts': 'an account belongs to a person, who may be a member of several organizations',
  'auth.api_key_creations': 'counts for a limit of a day',
  'auth.audit_chains': 'the audit log has an export of its own',
  'auth.audit_checkpoints': 'the audit log has an export of its own',
  'auth.audit_links': 'the audit log has an export of its own',
  'auth.audit_log': 'the audit log has an export of its own',
  'auth.audit_syslog_positions': 'belongs to the installation',
  'auth.audit_syslog_sender': 'belongs to the installation',
  'auth.audit_waiting': 'the audit log has an export of its own',
  'auth.idempotency': 'answers that are kept for a day',
  'auth.member_windows': 'counts for a limit of a minute',
  'auth.openid_identities': 'belongs to an account',
  'auth.openid_sign_ins': 'a sign-in that has not ended',
  'auth.openid_teams': 'found out again at the next sign-in',
  'auth.outbox': 'messages that wait; their effects are in the records',
  'auth.passkey_challenges': 'a sign-in that has not ended',
  'auth.passkeys': 'belongs to an account, and to the address of the installation',
  'auth.push_devices': 'a device has subscribed to the keys of the installation',
  'auth.recovery_codes': 'belongs to an account',
  'auth.request_windows': 'counts for a limit of a minute',
  'auth.sessions': 'belongs to an account',
  'auth.set_aside': 'messages that an operator has not decided about',
  'auth.sign_in_attempts': 'counts for a limit',
  'auth.totp_secrets': 'belongs to an account',
  'resources.everybody_changes': 'noted again by a trigger',
  'resources.idempotency': 'answers that are kept for a day',
  'resources.outbox': 'messages that wait; their effects are in the records',
  'resources.positions': 'belongs to the installation',
  'resources.schedule_handoffs': 'made again by a trigger',
  'resources.window_endings': 'made again by a trigger',
  'alerts.bulk_jobs': 'work of the installation; its effects are in the records',
  'alerts.counts': 'counted again',
  'alerts.idempotency': 'answers that are kept for a day',
  'alerts.outbox': 'messages that wait; their effects are in the records',
  'alerts.page_looks': 'belongs to the installation',
  'alerts.partitions': 'belongs to the installation',
  'alerts.reception': 'belongs to the installation',
  'alerts.replicas': 'belongs to the installation',
  'alerts.set_aside': 'messages that an operator has not decided about',
  'alerts.window_watch': 'made again by a trigger',
  'workflows.idempotency': 'answers that are kept for a day',
  'workflows.message_counts': 'counts for a limit of a day',
  'workflows.outbox': 'messages that wait; their effects are in the records',
  'workflows.page_looks': 'belongs to the installation',
  'workflows.processed_messages': 'belongs to the installation',
  'workflows.processing_recorded': 'belongs to the installation',
  'workflows.replicas': 'belongs to the installation',
  'workflows.service_status': 'belongs to the installation',
  'workflows.set_aside': 'messages that an operator has not decided about',
  'workflows.waiting_events': 'messages that wait; they page here, and an import pages nobody',
};
