/** The requests of Opsgenie's heartbeat API. Source: https://docs.opsgenie.com/docs/heartbeat-api. */
import { Fault, heartbeatUnits, type FieldFault, type HeartbeatSettings } from '@ams/contracts';
import { storable, type DropInBody } from '@ams/domain';
import { decoded, onlyTakes } from './opsgenie-request.js';

export type HeartbeatRequest =
  | { kind: 'list' }
  | { kind: 'create' }
  | { kind: 'get' | 'update' | 'delete' | 'ping' | 'enable' | 'disable'; name: string }
  | { kind: 'refused'; fault: Fault };

const nameLimit = 200;

const byMethod = { GET: 'get', PATCH: 'update', PUT: 'update', DELETE: 'delete' } as const;
const pingMethods = ['GET', 'POST', 'PUT', 'PATCH'];

/** `rest` is the URL after `/v2/heartbeats`. */
export function heartbeatRequestOf(method: string, rest: string): HeartbeatRequest {
  const below = rest.split('?', 1)[0]!.replace(/^\/|\/$/g, '');
  if (below === '') {
    if (method === 'GET') return { kind: 'list' };
    return method === 'POST' ? { kind: 'create' } : refused(onlyTakes('GET', 'POST'));
  }
  const segments = below.split('/');
  const [name, action] = segments.map(decoded);
  if (name === null || name === undefined || segments.length > 2) return refused(notSupported);
  if (action === undefined)
    return Object.hasOwn(byMethod, method)
      ? { kind: byMethod[method as keyof typeof byMethod], name }
      : refused(onlyTakes(...Object.keys(byMethod)));
  if (action === 'ping')
    return pingMethods.includes(method) ? { kind: 'ping', name } : refused(onlyTakes(...pingMethods));
  if (action !== 'enable' && action !== 'disable') return refused(notSupported);
  return method === 'POST' ? { kind: action, name } : refused(onlyTakes('POST'));
}

const refused = (fault: Fault): HeartbeatRequest => ({ kind: 'refused', fault });
const notSupported = new Fault(
  'NOT_FOUND',
  null,
  'This service supports these operations of the heartbeat API: create, get, list, update, delete, enable, disable ' +
    'and ping.',
);

const defaults: HeartbeatSettings = {
  description: null,
  interval: 10,
  intervalUnit: 'minutes',
  enabled: true,
  alertMessage: null,
  alertTags: [],
  alertPriority: 'P3',
};

const intervalLimits = { minutes: 525_600, hours: 8_760, days: 365 };
const textLimits = { description: 10_000, alertMessage: 130 };
const tagLimits = { count: 20, length: 50 };

/** The name and the settings of a new heartbeat. Throws VALIDATION_ERROR with all faults. */
export function newHeartbeatOf(body: DropInBody): { name: string; settings: HeartbeatSettings } {
  const faults: FieldFault[] = [];
  const name = body['name'];
  if (typeof name !== 'string' || name.trim() === '' || name.length > nameLimit)
    faults.push({ path: 'name', rule: 'required', message: `name must be a text of at most ${nameLimit} characters` });
  const settings = { ...defaults, ...sentSettings(body, defaults.intervalUnit, faults) };
  if (faults.length > 0) throw new Fault('VALIDATION_ERROR', { fields: faults });
  return { name: storable(name as string), settings };
}

/** The settings that are sent; a heartbeat keeps the others. Throws VALIDATION_ERROR with all faults. */
export function changedHeartbeatOf(body: DropInBody): Partial<HeartbeatSettings> {
  const faults: FieldFault[] = [];
  const settings = sentSettings(body, 'days', faults);
  if (faults.length > 0) throw new Fault('VALIDATION_ERROR', { fields: faults });
  return settings;
}

/** `unit` is the unit of an interval that is sent without one, for its limit. */
function sentSettings(
  body: DropInBody,
  unit: HeartbeatSettings['intervalUnit'],
  faults: FieldFault[],
): Partial<HeartbeatSettings> {
  const settings: Partial<HeartbeatSettings> = {};
  const refuse = (path: string, message: string): void => void faults.push({ path, rule: 'type', message });
  const isSent = (value: unknown): boolean => value !== undefined && value !== null;
  const { interval, intervalUnit, enabled, alertTags, alertPriority } = body;
  if (isSent(intervalUnit)) {
    const found = heartbeatUnits.find((one) => one === String(intervalUnit).toLowerCase());
    if (found === undefined) refuse('intervalUnit', `intervalUnit must be one of ${heartbeatUnits.join(', ')}`);
    else settings.intervalUnit = found;
  }
  if (isSent(interval)) {
    const most = intervalLimits[settings.intervalUnit ?? unit];
    if (!Number.isInteger(interval) || Number(interval) < 1 || Number(interval) > most)
      refuse('interval', `interval must be a number from 1 to ${most}`);
    else settings.interval = Number(interval);
  }
  if (isSent(enabled)) {
    if (typeof enabled !== 'boolean') refuse('enabled', 'enabled must be true or false');
    else settings.enabled = enabled;
  }
  for (const field of ['description', 'alertMessage'] as const) {
    const value = body[field];
    if (!isSent(value)) continue;
    if (typeof value !== 'string' || value.length > textLimits[field])
      refuse(field, `${field} must be a text of at most ${textLimits[field]} characters`);
    else settings[field] = value.trim() === '' ? null : storable(value);
  }
  if (isSent(alertPriority)) {
    if (!/^P[1-5]$/.test(String(alertPriority))) refuse('alertPriority', 'alertPriority must be P1 to P5');
    else settings.alertPriority = String(alertPriority);
  }
  if (isSent(alertTags)) {
    const tags = Array.isArray(alertTags) ? (alertTags as unknown[]) : [null];
    const ok = tags.every((tag) => typeof tag === 'string' && tag.length <= tagLimits.length);
    if (!ok || tags.length > tagLimits.count)
      refuse('alertTags', `alertTags must be a list of at most ${tagLimits.count} texts`);
    else settings.alertTags = (tags as string[]).map(storable);
  }
  return settings;
}
