/**
 * Maps requests to the drop-in APIs. The ingest gateway uses it for incoming requests, and a replay for stored
 * ones; so all decisions are here and depend only on values that the record stores.
 */
import type { AlertEdit } from '../alerts/alert-edit.js';
import { eventLimits } from '../alerts/event-limits.js';
import { compileMapping, type Mapper } from '../mapping/mapper.js';
import { wordKey, type MappingFault, type MappingSettings } from '../mapping/mapping-settings.js';
import { mapPayload, type ItemResult, type MapOptions } from '../mapping/mapping.js';
import { presetSettings } from './integration-types.js';
import { cutToCharacters, isBlank } from '../text/text-limits.js';
import { changeNote, isOpsgenieEdit, opsgenieEdit } from './drop-in-edits.js';
import { fitToLimits, type DropInType } from './fit.js';

/** The APIs of an integration: our webhook, and the drop-in APIs. */
export const receivingApis = ['webhook', 'pagerduty', 'opsgenie'] as const;
export type ReceivingApi = (typeof receivingApis)[number];
export type DropInApi = Exclude<ReceivingApi, 'webhook'>;

/** The values in the method and path of Opsgenie's API. */
export const opsgenieOperations = ['create', 'close', 'acknowledge', 'update', 'edit'] as const;
export type OpsgenieOperation = (typeof opsgenieOperations)[number];

/** The API of a payload, and the mapping input that is not in the body. */
export interface Received {
  api: ReceivingApi;
  /** For Opsgenie; null for the other APIs, which have these values in the body. */
  operation: OpsgenieOperation | null;
  /**
   * The key of the alert when the body has none: the alias in Opsgenie's path, or the generated key for a PagerDuty
   * event.
   */
  alertKey: string | null;
}

export interface DropInRequest extends Received {
  api: DropInApi;
  /** The alert key is the fingerprint of an alert that was found by its id, not an alias. */
  isFingerprint?: true;
  /** The request concerns this alert only (a UUID), not a later one with its fingerprint. */
  alertId?: string;
}

export const isDropIn = (received: Received): received is DropInRequest => received.api !== 'webhook';

export type DropInBody = Record<string, unknown>;

/** The body of a request to a drop-in API; null when it is not an object. */
export const dropInBody = (payload: unknown): DropInBody | null =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? (payload as DropInBody) : null;

/** Whether the API accepts the request without a body. */
export const mayBeEmpty = ({ api, operation }: Received): boolean => api === 'opsgenie' && operation !== 'create';

/** How an integration processes requests to a drop-in API. */
export interface DropInMapper {
  readonly type: DropInType;
  readonly mapper: Mapper;
  /** The number of static labels of the integration. */
  readonly staticLabels: number;
}

const types: Record<DropInApi, DropInType> = { pagerduty: 'pagerduty_events_v2', opsgenie: 'opsgenie' };

/**
 * Uses the integration's own settings when its type matches the API; otherwise those of the preset with the
 * integration's static labels.
 */
export function compileDropIn(api: DropInApi, settings: MappingSettings): DropInMapper {
  const type = types[api];
  const { staticLabels } = settings;
  return {
    type,
    mapper: compileMapping(settings.type === type ? settings : { ...presetSettings(type), staticLabels }),
    staticLabels: Object.keys(staticLabels).length,
  };
}

/** The result of a request. Throws only a RangeError, for a body that is nested too deeply. */
export function mapDropIn(
  { type, mapper, staticLabels }: DropInMapper,
  request: DropInRequest,
  body: DropInBody,
  options?: MapOptions,
): ItemResult[] {
  if (request.operation === 'edit' || request.operation === 'update')
    return [editOf({ type, mapper, staticLabels }, request, body)];
  if (request.api === 'pagerduty' && body['event_action'] === 'change') return [changeOf(request, body)];
  const faults = request.api === 'pagerduty' ? eventFaults(body, mapper.severityMap ?? pagerDutySeverities) : [];
  if (faults.length > 0) return [{ kind: 'faulty', faults }];
  const { payload, warnings } = fitToLimits(type, dropInPayload(request, body), staticLabels);
  const mapped = mapPayload(mapper, payload, options);
  if (mapped.kind === 'handshake') return [handshakeIgnored];
  for (const item of mapped.items) {
    if (item.kind !== 'event') continue;
    item.warnings.push(...warnings);
    if (item.event.status === 'acknowledged') item.event.opensNone = true;
    if (request.isFingerprint) item.event.fingerprint = request.alertKey!;
    if (request.alertId !== undefined) item.event.alertId = request.alertId;
  }
  return mapped.items;
}

/** The fingerprint that an alias has here. An integration may map it. Null when it has none. */
export function fingerprintOfAlias(dropIn: DropInMapper, alias: string): string | null {
  const create: DropInRequest = { api: 'opsgenie', operation: 'create', alertKey: null };
  const [item] = mapDropIn(dropIn, create, { alias, message: alias });
  return item?.kind === 'event' ? item.event.fingerprint : null;
}

function editOf(
  dropIn: DropInMapper,
  { operation, alertKey, isFingerprint, alertId }: DropInRequest,
  body: DropInBody,
): ItemResult {
  const action = operation === 'update' ? operation : body['action'];
  const { severityMap, severityWords } = dropIn.mapper;
  const edit = isOpsgenieEdit(action)
    ? opsgenieEdit(action, body, (word) => severityMap?.get(word) ?? severityWords.get(word))
    : [fault('action', 'enum', 'the action is unknown')];
  if (Array.isArray(edit)) return { kind: 'faulty', faults: edit };
  const fingerprint = isFingerprint ? alertKey : fingerprintOfAlias(dropIn, alertKey ?? '');
  return fingerprint === null
    ? { kind: 'faulty', faults: [fault('alias', 'required', 'the alias names no alert')] }
    : editEvent(`Opsgenie alert ${alertKey}`, fingerprint, edit, alertId);
}

/** A change event has no key of an alert. The generated key makes each one a separate event. */
function changeOf({ alertKey }: DropInRequest, body: DropInBody): ItemResult {
  const note = changeNote(body);
  if (note !== null) return editEvent('PagerDuty change event', `change:${alertKey}`, { note, toAllOpen: true });
  return {
    kind: 'faulty',
    faults: [fault('payload.summary', 'required', "'payload.summary' is missing or blank")],
  };
}

/** A pipeline of an earlier release takes an edit for a firing event of an open alert. */
const editEvent = (title: string, fingerprint: string, edit: AlertEdit, alertId?: string): ItemResult => ({
  kind: 'event',
  event: {
    title: cutToCharacters(title, eventLimits.title),
    severity: null,
    status: 'firing',
    source: null,
    description: null,
    fingerprint,
    fingerprintSource: 'explicit',
    labels: {},
    annotations: {},
    opensNone: true,
    edit,
    ...(alertId !== undefined && { alertId }),
  },
  warnings: [],
  sources: {},
});

const handshakeIgnored: ItemResult = { kind: 'ignored', reason: 'handshakeWhen holds, and this API has no handshakes' };

/**
 * The request in the format of the preset: values from outside the body are added, and the secret is removed. It is
 * idempotent, so it does not matter which form was stored.
 */
export function dropInPayload({ api, operation, alertKey }: DropInRequest, body: DropInBody): DropInBody {
  if (api === 'pagerduty') {
    const { routing_key: _secret, ...event } = body;
    return { ...event, dedup_key: dedupKeyOf(event) ?? alertKey };
  }
  if (operation === 'edit' || operation === 'update') return body;
  if (operation === 'close' || operation === 'acknowledge')
    return { ...body, action: operation, alias: alertKey, message: `Opsgenie alert ${alertKey}` };
  return { ...body, action: 'create' };
}

/** The key of a PagerDuty event; null when it must be generated. */
export const dedupKeyOf = ({ dedup_key: key }: DropInBody): string | null => wordIn(key);

/** The words of PagerDuty's documents. The severityMap of an integration of this type may have others. */
const pagerDutySeverities: ReadonlySet<string> = new Set(['critical', 'error', 'warning', 'info']);

/** The rules of PagerDuty's API beyond our own. */
function eventFaults(event: DropInBody, severities: { has(word: string): boolean }): MappingFault[] {
  const { event_action: action, payload } = event;
  const faults: MappingFault[] = [];
  if (wordIn(action) === null) faults.push(fault('event_action', 'required', "'event_action' is missing or blank"));
  else if (!actions.has(String(action)))
    faults.push(
      fault('event_action', 'enum', "'event_action' is invalid (should be 'trigger', 'acknowledge' or 'resolve')"),
    );
  if (action === 'trigger') {
    const { summary, severity } = typeof payload === 'object' && payload !== null ? (payload as DropInBody) : {};
    if (wordIn(summary) === null)
      faults.push(fault('payload.summary', 'required', "'payload.summary' is missing or blank"));
    const word = wordIn(severity);
    if (word === null) faults.push(fault('payload.severity', 'required', "'payload.severity' is missing or blank"));
    else if (!severities.has(wordKey(word)))
      faults.push(
        fault(
          'payload.severity',
          'enum',
          "'payload.severity' is invalid (must be one of the following: 'critical', 'warning', 'error' or 'info')",
        ),
      );
  } else if ((action === 'acknowledge' || action === 'resolve') && dedupKeyOf(event) === null)
    faults.push(fault('dedup_key', 'required', "'dedup_key' is missing or blank"));
  return faults;
}

const actions = new Set(['trigger', 'acknowledge', 'resolve']);

const fault = (path: string, rule: string, message: string): MappingFault => ({ path, rule, message });

/** A text or a number as text; null when it is missing or blank. */
export function wordIn(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  return isBlank(text) ? null : text;
}
