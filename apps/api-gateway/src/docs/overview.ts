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

export const overview = `Alerts, and all that decides what becomes of them, of one organization.

## Authentication

Every request carries \`Authorization: Bearer <API_KEY>\`. A key that begins with \`svc_live_\` sees the live data, \
one that begins with \`svc_test_\` the test data, and neither sees the other's. A key that is missing, wrong, expired \
or revoked answers **401**; a key without the scope that an operation needs answers **403**. A revocation takes \
effect at once: requests of that key that are being served answer 401 too.

Scopes: ${scopes.map((scope) => `\`${scope}\``).join(', ')}.

## Answers

One object comes as \`{"data": {…}}\`, a list as \`{"data": […], "meta": {…}}\`. Creating answers 201, deleting 204 \
without a body, all else 200. Names are camelCase, times are RFC 3339 in UTC with milliseconds, ids are opaque, and a \
field without a value is \`null\`, never left out.

## Lists

\`limit\` is 1 to 100, 50 unless you say. \`meta.nextCursor\` goes into \`cursor\` for the next page, with the same \
filters and sort; on the last page it is \`null\` and \`meta.hasMore\` is \`false\`. \`meta.total\` comes with the \
first page only. Nothing is skipped or shown twice while records come and go. Filters take comma-separated values as \
*or*; different filters are *and*.

## Changing records

PUT changes the fields that you send and keeps the others; \`null\` clears a field. Fields that an operation does not \
know are refused, so that a typo does not pass unseen. Records have a \`version\`, and answers its \`ETag\`: send it \
as \`If-Match\` and your change is refused with 412 when somebody else was faster. \`If-None-Match\` on a GET answers \
304 when nothing has changed.

Any POST may carry an \`Idempotency-Key\` of your own (1 to 255 printable characters). For 24 hours the same key and \
body answer the first answer again; the same key with another body answers 409.

## Limits

300 requests a minute and organization, 10 new API keys a day and organization. \`RateLimit-Limit\`, \
\`RateLimit-Remaining\` and \`RateLimit-Reset\` (seconds) say where you are; beyond the limit comes **429** with \
\`Retry-After\` in seconds.

## Errors

The body of every error is \`{"error": "for people", "code": "FOR_PROGRAMS", "details": …}\`.

| Status | Code | details |
|---|---|---|
${errorTable}

Every answer carries \`X-Request-Id\`: your own, if you sent one. Name it when you ask about a request. After 500, \
503 or a lost connection a GET, PUT or DELETE may be repeated as it is, and a POST with its \`Idempotency-Key\`.

## Versions

The version is part of the path. Within v1 there are only additions: new operations, fields, filters and values of \
enums, so let your client ignore what it does not know. An operation that is to go carries \`Deprecation\`, \
\`Sunset\` and \`Link\` for twelve months.
`;

export const tags: { name: string; description: string }[] = [
  { name: 'Alerts', description: 'What the senders reported, folded by fingerprint, with a status and a timeline.' },
  { name: 'Incidents', description: 'Work for people: alerts that belong together.' },
  {
    name: 'Integrations',
    description: 'The senders. Each has an ingest URL of its own and says how its payloads become alerts.',
  },
  { name: 'Clients', description: 'The customers or business units that alerts are about.' },
  { name: 'Workflows', description: 'Automatic actions: notifications, incidents and escalations.' },
  { name: 'Notifications', description: 'What was sent to people and channels, what not, and why.' },
  { name: 'Schedules', description: 'Who is on call, and when.' },
  { name: 'Suppression', description: 'Windows of time in which matching alerts stay quiet.' },
  { name: 'Users', description: 'The members of the organization.' },
  { name: 'API keys', description: 'The credentials of programs.' },
  { name: 'Audit log', description: 'Who did what, and each use of a key.' },
  { name: 'Documentation', description: 'This document.' },
];
