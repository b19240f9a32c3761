/**
 * The text at the beginning of the API reference. A backslash at the end of a line joins it with the next line, so that
 * a paragraph is one line of Markdown.
 */
import { statusOfCode, type FaultCode } from '@ams/contracts';
import { scopes } from '@ams/scopes';

const detailsOfFaults: Partial<Record<FaultCode, string>> = {
  VALIDATION_ERROR: '`{fields: [{path, rule, message}]}`, every fault at once',
  INSUFFICIENT_SCOPE: '`{required}`',
  NOT_FOUND: '`{resource, id}`; `null` when there is no such path',
  METHOD_NOT_ALLOWED: '`{allowed}`, and the header `Allow`',
  INVALID_STATE_TRANSITION: '`{from, to, allowed}`',
  RESOURCE_IN_USE: '`{references: [{resource, id, name?}]}`',
  QUOTA_EXCEEDED: '`{kind, limit, used}`',
  VERSION_MISMATCH: '`{current}`',
  PAYLOAD_TOO_LARGE: '`{limitBytes}`',
  RATE_LIMITED: '`{scope, limit, windowSeconds, retryAfterSeconds}`, and the header `Retry-After`',
  INTERNAL_ERROR: '`{requestId}`',
  UNAVAILABLE: '`{requestId}`, and the header `Retry-After`',
};

const errorTable = Object.entries(statusOfCode)
  .filter(([code]) => code !== 'INVALID_INGEST_TOKEN')
  .map(([code, status]) => `| ${status} | \`${code}\` | ${detailsOfFaults[code as FaultCode] ?? '`null`'} |`)
  .join('\n');

export const overview = `The API of alerts, incidents and everything that is configured for them, for one organization.

## Authentication

Every request has the header \`Authorization: Bearer <API_KEY>\`. A key that begins with \`svc_live_\` has access to \
the live data, a key that begins with \`svc_test_\` to the test data, and neither to the other. The answer is **401** \
for a key that is missing, wrong, expired or revoked, and **403** for a key without the scope of the operation. A \
revocation takes effect immediately, also for requests of the key that are in progress.

A key may be restricted to clients and teams (\`restrictedTo\`). It sees and changes only what belongs to them: other \
records are 404 and missing in lists and totals. Operations that cannot be restricted are 403 with the reason.

People who are signed in have a session cookie in place of the header, and the scopes of their role. The header \
\`X-Environment\` is \`live\`, the default, or \`test\`. A POST, PUT or DELETE with the cookie needs the header \
\`X-CSRF-Token\` from \`GET /session\`, and is 403 without it. A request with \`Authorization\` does not use the cookie.

Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.

## Answers

The body of an answer is \`{"data": {…}}\` for one object and \`{"data": […], "meta": {…}}\` for a list. The status \
is 201 when a record was created, 202 when work continues in the background, 204 without a body when a record was \
deleted, otherwise 200. Names are camelCase. Times are \
RFC 3339 in UTC with milliseconds. Ids are opaque. A field without a value is \`null\`; it is never left out.

## Lists

\`limit\` is 1 to 100; the default is 50. Send \`meta.nextCursor\` as \`cursor\` to get the next page, with the same \
filters and sort. On the last page it is \`null\`, and \`meta.hasMore\` is \`false\`. Only the first page has \
\`meta.total\`. No record is skipped or shown twice when others are created or deleted in between. A filter accepts \
several values with commas, which are combined with *or*; different filters are combined with *and*. In filters that \
say so, \`!\` in front of each value means all records with another value, or without one: \`severity=!low,!info\`. \
\`!\` alone means no value: \`clientId=!\`. Every list has \`sort\`.

## Exports

\`GET /alerts/export\`, \`/incidents/export\` and \`/notifications/export\` answer all records that the filters \
choose, as NDJSON or CSV, in one request. An export is complete when the response ends normally. When it fails after \
its beginning, the connection is reset, and the export must be requested again.

## Events

\`GET /stream\` sends the changes of alerts and incidents as they happen, as server-sent events. A client that comes \
back with the id of its last event misses none of the last 10 minutes.

## Changing records

PUT changes the fields that are sent and keeps the others; \`null\` clears a field. Unknown fields are refused, so \
that a misspelled name is an error. Records have a \`version\`, which is also the \`ETag\` of an answer. A change with \
\`If-Match\` is refused with 412 when the record has another version. A GET with \`If-None-Match\` is answered with \
304 when the record has not changed.

Any POST may have an \`Idempotency-Key\` (1 to 255 printable characters). For 24 hours a request with the same key and \
body gets the first answer again, and a request with the same key and another body is refused with 409.

## Limits

The limits are 300 requests per minute and 10 new API keys per day, for each organization. A \
member who is signed in has 600 requests per minute, which do not count for the organization. \`RateLimit-Limit\`, \
\`RateLimit-Remaining\` and \`RateLimit-Reset\` (in seconds) show the state. A batch counts as one request \
for every ten operations, and has an entry \`api_key.used\` for each of these requests. A request over the limit is \
refused with **429** and \`Retry-After\` in seconds. A caller that goes on waits for its refusals: after 20 of them at \
once, each further one comes up to a second later.

## Errors

The body of every error is \`{"error": "a message for people", "code": "A_CODE_FOR_PROGRAMS", "details": …}\`.

| Status | Code | details |
|---|---|---|
${errorTable}

Every answer has \`X-Request-Id\`: the id that was sent, or a new one. Give it when you ask about a request. After \
500, 503 or a lost connection, a GET, PUT or DELETE may be sent again, and a POST if it has an \`Idempotency-Key\`.

## Versions

The version is part of the path. Within v1 there are only additions: new operations, fields, filters and values of \
enums. A client should ignore those that it does not know. An operation that will be removed has the headers \
\`Deprecation\`, \`Sunset\` and \`Link\` for twelve months.
`;

export const tags: { name: string; description: string }[] = [
  {
    name: 'Alerts',
    description: 'What senders reported: one alert for each fingerprint, with a status and a timeline.',
  },
  { name: 'Incidents', description: 'Work for people. An incident groups alerts.' },
  {
    name: 'Integrations',
    description: 'The settings for senders: each has an ingest URL, and maps payloads to alerts.',
  },
  { name: 'Clients', description: 'The customers or business units that alerts are about.' },
  { name: 'Workflows', description: 'Automatic actions: notifications, incidents and escalations.' },
  {
    name: 'Notifications',
    description: 'The messages to people and channels: which were sent, which were not, and why.',
  },
  { name: 'Schedules', description: 'Who is on call, and when.' },
  {
    name: 'Escalation policies',
    description: 'Who is told about an incident, and who is next when nobody acknowledges.',
  },
  {
    name: 'Pages',
    description: 'The ledger of alerts that asked for somebody, and how that ended.',
  },
  { name: 'Teams', description: 'Members who are responsible together, with their escalation policy.' },
  { name: 'Suppression', description: 'Planned times in which matching alerts are suppressed.' },
  { name: 'Views', description: 'The filters of lists, saved under names.' },
  { name: 'Users', description: 'The members of the organization.' },
  {
    name: 'Mail recipients',
    description: 'The addresses and domains to which mails to people who are no members may be sent.',
  },
  { name: 'Signing in', description: 'Sessions of people, their own account, and the links that let them in.' },
  { name: 'Organization', description: 'The settings of the organization for paging.' },
  { name: 'Status', description: 'Whether the parts of the service work.' },
  { name: 'API keys', description: 'The credentials of programs.' },
  { name: 'Audit log', description: 'The changes that were made, by whom, and each use of a key.' },
  { name: 'Stream', description: 'Changes as they happen, as server-sent events.' },
  { name: 'Batch', description: 'Several operations in one request, all or nothing.' },
  { name: 'Documentation', description: 'This document.' },
];
