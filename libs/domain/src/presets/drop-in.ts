/**
 * What a request to an imitated paging service becomes. The ingest gateway asks when the request comes, a replay asks again
 * with what was kept of it; so all that decides is here, and nothing that a record does not hold.
 */
import { compileMapping, type Mapper } from '../mapping/mapper.js';
import type { MappingFault, MappingSettings } from '../mapping/mapping-settings.js';
import { mapPayload, type ItemResult, type MapOptions } from '../mapping/mapping.js';
import { presetSettings } from './integration-types.js';
import { isBlank } from '../text/text-limits.js';
import { fitToLimits, type DropInType } from './fit.js';

/** The APIs that senders may speak to an integration: our webhook, and those that are imitated. */
export const receivingApis = ['webhook', 'pagerduty', 'opsgenie'] as const;
export type ReceivingApi = (typeof receivingApis)[number];
export type DropInApi = Exclude<ReceivingApi, 'webhook'>;

/** What Opsgenie's API says in the method and the path. */
export const opsgenieOperations = ['create', 'close', 'acknowledge', 'update'] as const;
export type OpsgenieOperation = (typeof opsgenieOperations)[number];

/** By which API a payload came, and what its mapping needs beside the body. */
export interface Received {
  api: ReceivingApi;
  /** Of Opsgenie; null with the other APIs, which say it in the body. */
  operation: OpsgenieOperation | null;
  /** Which alert, where the body does not say it: the alias in Opsgenie's path, the key that was made for a PagerDuty event without one. */
  alertKey: string | null;
}

export interface DropInRequest extends Received {
  api: DropInApi;
}

export const isDropIn = (received: Received): received is DropInRequest => received.api !== 'webhook';

export type DropInBody = Record<string, unknown>;

/** The body of a request to an imitated API; null when it is none, since all of theirs are objects. */
export const dropInBody = (payload: unknown): DropInBody | null =>
  typeof payload === 'object' && payload !== null && !Array.isArray(payload) ? (payload as DropInBody) : null;

/** Whether the API takes the request without a body, as one that says nothing more. */
export const mayBeEmpty = ({ api, operation }: Received): boolean => api === 'opsgenie' && operation !== 'create';

/** How an integration understands what is sent to an imitated API. */
export interface DropInMapper {
  readonly type: DropInType;
  readonly mapper: Mapper;
  /** How many labels the integration puts on every alert. */
  readonly staticLabels: number;
}

const types: Record<DropInApi, DropInType> = { pagerduty: 'pagerduty_events_v2', opsgenie: 'opsgenie' };

/** By its own settings when it is of the API's type; of one of another type the static labels count, and the rest is the preset's. */
export function compileDropIn(api: DropInApi, settings: MappingSettings): DropInMapper {
  const type = types[api];
  const { staticLabels } = settings;
  return {
    type,
    mapper: compileMapping(settings.type === type ? settings : { ...presetSettings(type), staticLabels }),
    staticLabels: Object.keys(staticLabels).length,
  };
}

/** What becomes of a request. Throws only a RangeError, of a body that is nested too deeply. */
export function mapDropIn(
  { type, mapper, staticLabels }: DropInMapper,
  request: DropInRequest,
  body: DropInBody,
  options?: MapOptions,
): ItemResult[] {
  if (request.operation === 'update') return [updateIgnored];
  const faults = request.api === 'pagerduty' ? eventFaults(body) : [];
  if (faults.length > 0) return [{ kind: 'faulty', faults }];
  const { payload, warnings } = fitToLimits(type, dropInPayload(request, body), staticLabels);
  const mapped = mapPayload(mapper, payload, options);
  if (mapped.kind === 'handshake') return [handshakeIgnored];
  for (const item of mapped.items) if (item.kind === 'event') item.warnings.push(...warnings);
  return mapped.items;
}

const updateIgnored: ItemResult = {
  kind: 'ignored',
  reason: 'an update of an alert is not applied: its next create brings the newest values',
};
const handshakeIgnored: ItemResult = { kind: 'ignored', reason: 'handshakeWhen holds, and this API has no handshakes' };

/**
 * The request in the preset's words: what the API says outside of the body is in it, and the secret is not. The same of what
 * it gives, so that it does not matter which of the two was kept.
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

/** The key that a PagerDuty event brings; null when it has to be made. */
export const dedupKeyOf = ({ dedup_key: key }: DropInBody): string | null => wordIn(key);

/** What PagerDuty's API demands beyond our own rules. */
function eventFaults(event: DropInBody): MappingFault[] {
  const { event_action: action, payload } = event;
  const faults: MappingFault[] = [];
  if (wordIn(action) === null) faults.push(fault('event_action', 'required', "'event_action' is missing or blank"));
  else if (!actions.has(String(action)))
    faults.push(
      fault('event_action', 'enum', "'event_action' is invalid (should be 'trigger', 'acknowledge' or 'resolve')"),
    );
  if (action === 'trigger') {
    const { summary } = typeof payload === 'object' && payload !== null ? (payload as DropInBody) : {};
    if (wordIn(summary) === null)
      faults.push(fault('payload.summary', 'required', "'payload.summary' is missing or blank"));
  } else if ((action === 'acknowledge' || action === 'resolve') && dedupKeyOf(event) === null)
    faults.push(fault('dedup_key', 'required', "'dedup_key' is missing or blank"));
  return faults;
}

const actions = new Set(['trigger', 'acknowledge', 'resolve']);

const fault = (path: string, rule: string, message: string): MappingFault => ({ path, rule, message });

/** A text or a number as text; null when there is none, or nothing in it. */
export function wordIn(value: unknown): string | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const text = String(value);
  return isBlank(text) ? null : text;
}
