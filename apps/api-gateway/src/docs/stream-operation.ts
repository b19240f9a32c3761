/** `GET /stream` in the OpenAPI document. The gateway answers it itself. */
import { answerHeaders, errorResponses, scopeOfStreamEvent, streamEventTypes, type Announcement } from '@ams/contracts';

export const streamRoute = 'stream.open';

const exampleData = {
  type: 'alert.acknowledged',
  occurredAt: '2026-11-20T14:06:00.000Z',
  resource: { type: 'alert', id: 'alr_01938f3a7c2e7d4ab1c2d3e4f5061728' },
  changed: ['status', 'acknowledgedAt', 'acknowledgedBy'],
  fields: { status: 'acknowledged', severity: 'critical', version: 3 },
};
const exampleId = 'm4x1k2ab-1842-0';

const scopes = [...new Set(Object.values(scopeOfStreamEvent))].map((scope) => `\`${scope}\``).join(', ');

export const streamSchemas: Announcement['schemas'] = {
  StreamEvent: {
    type: 'object',
    description: 'The `data` of an event.',
    required: ['type', 'occurredAt', 'resource', 'changed', 'fields'],
    properties: {
      type: { type: 'string', enum: streamEventTypes, description: 'There may be more later: ignore unknown ones.' },
      occurredAt: { type: 'string', format: 'date-time' },
      resource: {
        type: 'object',
        required: ['type', 'id'],
        properties: {
          type: { type: 'string', enum: ['alert', 'incident', 'schedule', 'suppression_window'] },
          id: { type: 'string' },
        },
      },
      changed: {
        type: 'array',
        items: { type: 'string' },
        description: 'The names of the fields that changed. Those that `fields` does not have must be fetched.',
      },
      fields: {
        type: 'object',
        additionalProperties: true,
        description:
          'Fields of the record after the change, in the form of the API. With a lower `version` than that of a record ' +
          'that is known already, the event is an older one.',
      },
    },
    example: exampleData,
  },
};

export const streamOperation: Announcement['operations'][number] = {
  id: streamRoute,
  method: 'GET',
  path: '/stream',
  scope: '',
  subject: '',
  reply: 'one',
  body: 'none',
  versioned: false,
  openapi: {
    operationId: 'openStream',
    tags: ['Stream'],
    summary: 'Receive events live',
    description:
      'The changes in the environment of the key, as server-sent events, until one of both sides ends the connection. ' +
      `Each event needs the scope of its record: ${scopes}. A key that is restricted to clients or teams receives the ` +
      'events of what belongs to them.\n\n' +
      'An event has a `type` (`event`), an `id`, and `StreamEvent` as `data`. After a lost connection, send the id of ' +
      'the last event as `Last-Event-ID`: events of at least the last 10 minutes follow. The event `reset` says that ' +
      'events may be missing: load again what you show. The event `close` says that the server ends the connection: ' +
      'come back after the time that `retry` says. A comment comes every 15 s.\n\n' +
      'Scope: at least one of those above.',
    security: [{ apiKey: [] }],
    parameters: [
      {
        name: 'types',
        in: 'query',
        required: false,
        description: 'Only events of these types.',
        schema: { type: 'array', items: { type: 'string', enum: streamEventTypes } },
        style: 'form',
        explode: false,
        example: ['alert.created', 'alert.resolved'],
      },
      {
        name: 'lastEventId',
        in: 'query',
        required: false,
        description:
          'The same as the header `Last-Event-ID`, for clients that cannot set it. The header has precedence.',
        schema: { type: 'string' },
        example: exampleId,
      },
      {
        name: 'Last-Event-ID',
        in: 'header',
        required: false,
        description: 'The `id` of the last event that was received. Events after it follow.',
        schema: { type: 'string' },
        example: exampleId,
      },
      { $ref: '#/components/parameters/X-Request-Id' },
    ],
    responses: {
      '200': {
        description:
          'The events, until the connection ends. The schema is that of the `data` of an event:\n\n' +
          `\`\`\`\nevent: alert.acknowledged\nid: ${exampleId}\ndata: {"type": "alert.acknowledged", …}\n\`\`\``,
        headers: answerHeaders,
        content: {
          'text/event-stream': { schema: { $ref: '#/components/schemas/StreamEvent' }, example: exampleData },
        },
      },
      ...errorResponses(
        ['VALIDATION_ERROR', 'UNAUTHORIZED', 'INSUFFICIENT_SCOPE', 'RATE_LIMITED', 'INTERNAL_ERROR', 'UNAVAILABLE'],
        { scope: 'alerts:read', path: '/stream', reply: 'one', example: { reply: null } },
      ),
    },
  },
};
