/**
 * The requests of Opsgenie's alert API, by their method and URL. Source: https://docs.opsgenie.com/docs/alert-api.
 *
 *   POST        /v2/alerts                                          create
 *   GET         /v2/alerts, /v2/alerts/count                        the alerts of the integration
 *   GET, DELETE /v2/alerts/{alert}                                  get, close
 *   POST        /v2/alerts/{alert}/close|acknowledge|unacknowledge|assign|notes
 *   POST,DELETE /v2/alerts/{alert}/tags|details
 *   PUT, POST   /v2/alerts/{alert}/message|description|priority
 *   GET         /v2/alerts/requests/{requestId}                     the result of a request
 *
 * An alert is named by its id, or with identifierType=alias by its alias.
 */
import { Fault, uuidOf } from '@ams/contracts';
import type { OpsgenieEdit } from '@ams/domain';

export type AlertIdentifier = { type: 'alias'; alias: string } | { type: 'id'; id: string };

export interface ChangeRequest {
  kind: 'change';
  operation: 'close' | 'acknowledge' | 'edit';
  action: OpsgenieEdit | null;
  alert: AlertIdentifier;
  /** The parameters in the query of a DELETE. */
  fromQuery: Record<string, string>;
}

export type OpsgenieRequest =
  | { kind: 'create' }
  | ChangeRequest
  | { kind: 'get'; alert: AlertIdentifier }
  | { kind: 'list' | 'count'; query: URLSearchParams }
  | { kind: 'result'; requestId: string }
  | { kind: 'refused'; fault: Fault };

/** By path and method: the operation, and the action of an edit. */
const actions: Record<string, Record<string, ['close' | 'acknowledge'] | ['edit', OpsgenieEdit]>> = {
  close: { POST: ['close'] },
  acknowledge: { POST: ['acknowledge'] },
  unacknowledge: { POST: ['edit', 'unacknowledge'] },
  assign: { POST: ['edit', 'assign'] },
  notes: { POST: ['edit', 'addNote'] },
  tags: { POST: ['edit', 'addTags'], DELETE: ['edit', 'removeTags'] },
  details: { POST: ['edit', 'addDetails'], DELETE: ['edit', 'removeDetails'] },
  message: { PUT: ['edit', 'update'], POST: ['edit', 'update'] },
  description: { PUT: ['edit', 'update'], POST: ['edit', 'update'] },
  priority: { PUT: ['edit', 'update'], POST: ['edit', 'update'] },
};

/** `rest` is the URL after `/v2/alerts`: an optional path and an optional query. */
export function opsgenieRequestOf(method: string, rest: string): OpsgenieRequest {
  const [path = '', queryText = ''] = rest.split('?', 2);
  const query = new URLSearchParams(queryText);
  const below = path.replace(/^\/|\/$/g, '');
  if (below === '') {
    if (method === 'POST') return { kind: 'create' };
    return method === 'GET' ? { kind: 'list', query } : refused(onlyTakes('GET', 'POST'));
  }
  const segments = below.split('/');
  const [identifier, action] = segments.map(decoded);
  if (identifier === null || action === null) return refused(nothingThere);
  if (identifier === undefined || segments.length > 2) return refused(notSupported);
  if (identifier === 'requests' && action !== undefined)
    return method === 'GET' ? { kind: 'result', requestId: action } : refused(onlyTakes('GET'));
  if (identifier === 'count' && action === undefined)
    return method === 'GET' ? { kind: 'count', query } : refused(onlyTakes('GET'));
  if (identifier === 'saved-searches') return refused(notSupported);
  const alert = identifierOf(identifier, query.get('identifierType') ?? 'id');
  if (action === undefined) return ofAlert(method, alert);
  if (action === 'snooze') return method === 'POST' ? refused(noSnooze) : refused(onlyTakes('POST'));
  if (!Object.hasOwn(actions, action)) return refused(notSupported);
  const methods = actions[action]!;
  if (!Object.hasOwn(methods, method)) return refused(onlyTakes(...Object.keys(methods)));
  const [operation, edit = null] = methods[method]!;
  return alert === null
    ? refused(onlyIdOrAlias)
    : { kind: 'change', operation, action: edit, alert, fromQuery: asked(query) };
}

function ofAlert(method: string, alert: AlertIdentifier | null): OpsgenieRequest {
  if (method !== 'GET' && method !== 'DELETE') return refused(onlyTakes('GET', 'DELETE'));
  if (alert === null) return refused(onlyIdOrAlias);
  return method === 'GET'
    ? { kind: 'get', alert }
    : { kind: 'change', operation: 'close', action: null, alert, fromQuery: {} };
}

/** Null for an identifier of another type, or of another form. */
function identifierOf(identifier: string, type: string): AlertIdentifier | null {
  if (type === 'alias') return identifier === '' ? null : { type, alias: identifier };
  return type === 'id' && uuidOf('alert', identifier) !== null ? { type, id: identifier } : null;
}

const asked = (query: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    ['tags', 'keys', 'note', 'user', 'source'].flatMap((key) => {
      const value = query.get(key);
      return value === null ? [] : [[key, value]];
    }),
  );

const refused = (fault: Fault): OpsgenieRequest => ({ kind: 'refused', fault });

const nothingThere = new Fault('NOT_FOUND', null);
export const notSupported = new Fault(
  'NOT_FOUND',
  null,
  'This service supports these operations of the alert API: create, get, list, count, close, acknowledge, ' +
    'unacknowledge, assign, notes, tags, details, message, description and priority.',
);
export const onlyTakes = (...allowed: string[]): Fault => new Fault('METHOD_NOT_ALLOWED', { allowed });
const invalidFor = (path: string, message: string): Fault =>
  new Fault('VALIDATION_ERROR', { fields: [{ path, rule: 'enum', message }] });
const onlyIdOrAlias = invalidFor(
  'identifierType',
  'Send identifierType=alias and the alias, or identifierType=id and the alertId that the result of a create request ' +
    'has. Other identifiers are not supported.',
);
const noSnooze = invalidFor(
  'endTime',
  'Alerts cannot be snoozed by their sender. A suppression window suppresses alerts for a time.',
);

export function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
