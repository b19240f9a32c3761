/**
 * Maps requests to the emulated paging APIs. The ingest gateway uses it for incoming requests, and a replay for stored
 * ones; so all decisions are here and depend only on values that the record stores.
 */
import { compileMapping, type Mapper } from '../mapping/mapper.js';
import { wordKey, type MappingFault, type MappingSettings } from '../mapping/mapping-settings.js';
import { mapPayload, type ItemResult, type MapOptions } from '../mapping/mapping.js';
import { presetSettings } from './integration-types.js';
import { isBlank } from '../text/text-limits.js';
import { fitToLimits, type DropInType } from './fit.js';

/** The APIs of an integration: our webhook, and the emulated ones. */
export const receivingApis = ['webhook', 'pagerduty', 'opsgenie'] as const;
export type ReceivingApi = (typeof receivingApis)[number];
export type DropInApi = Exclude<ReceivingApi, 'webhook'>;

/** The values in the method and path of Opsgenie's API. */
export const opsgenieOperations = ['create', 'close', 'acknowledge', 'update'] as const;
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
}

export const isDropIn = (received: Received): received is DropInRequest => received.api !== 'webhook';

export type DropInBody = Record<string, unknown>;

/** The body of a request to an emulated API; null when it is not an object. */
export const dropInBody = (payload: unknown): DropInBody | null =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? (payload as DropInBody) : null;

/** Whether the API accepts the request without a body. */
export const mayBeEmpty = ({ api, operation }: Received): boolean => api === 'opsgenie' && operation !== 'create';

/** How an integration processes requests to an emulated API. */
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
  if (request.operation === 'update') return [updateIgnored];
  const faults = request.api === 'pagerduty' ? eventFaults(body, mapper.severityMap ?? pagerDutySeverities) : [];
  if (faults.length > 0) return [{ kind: 'faulty', faults }];
  const { payload, warnings } = fitToLimits(type, dropInPayload(request, body), staticLabels);
  const mapped = mapPayload(mapper, payload, options);
  if (mapped.kind === 'handshake') return [handshakeIgnored];
  for (const item of mapped.items) {
    if (item.kind !== 'event') continue;
    item.warnings.push(...warnings);
    if (item.event.status === 'acknowledged') item.event.opensNone = true;
  }
  return mapped.items;
}

const updateIgnored: ItemResult = {
  kind: 'ignored',
  reason: 'updates of alerts are not applied: the next create request has the newest values',
};
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
