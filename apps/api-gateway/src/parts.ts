/**
 * From the parts that services announce to one interface. A part that clashes with another service's is refused and the
 * old part of that service stays; it is offered again whenever another part changes, since an operation may be moving
 * from one service to another.
 */
import type { AnnouncedOperation, Announcement } from '@ams/contracts';
import { isScope } from '@ams/scopes';
import { isDeepStrictEqual } from 'node:util';
import { isParameter, segmentsOf } from './routes.js';

export interface Refusal {
  service: string;
  reasons: string[];
}

export class Parts {
  private readonly taken = new Map<string, Announcement>();
  private readonly refused = new Map<string, { announcement: Announcement; reasons: string[] }>();

  /** `own` is the gateway's: always there, and not for others to redefine. */
  constructor(private readonly own: Announcement) {}

  /** Whether the interface changed by it; what was refused stands in `refusals`. */
  offer(announcement: Announcement): boolean {
    this.refused.delete(announcement.service);
    if (!this.take(announcement)) return false;
    // What was in the way of another part may be gone now.
    for (let again = true; again; ) {
      again = [...this.refused.values()].some(({ announcement: waiting }) => this.take(waiting));
    }
    return true;
  }

  private take(announcement: Announcement): boolean {
    const { service } = announcement;
    const others = [this.own, ...[...this.taken.values()].filter((other) => other.service !== service)];
    const reasons = clashesOf(announcement, others);
    if (reasons.length > 0) {
      this.refused.set(service, { announcement, reasons });
      return false;
    }
    this.refused.delete(service);
    this.taken.set(service, announcement);
    return true;
  }

  /** In the order of the services' names, so that every replica makes the same document. */
  get accepted(): Announcement[] {
    return [...this.taken.values()].sort((a, b) => (a.service < b.service ? -1 : 1));
  }

  get refusals(): Refusal[] {
    return [...this.refused].map(([service, { reasons }]) => ({ service, reasons }));
  }
}

/** `/alerts/{id}` and `/alerts/{alertId}` are the same path to a router, and two to a reader. */
const shapeOf = (path: string): string =>
  segmentsOf(path)
    .map((segment) => (isParameter(segment) ? '{}' : segment))
    .join('/');

const operationIdOf = (operation: AnnouncedOperation): unknown => operation.openapi['operationId'];

/** Why the announcement cannot stand beside the others; empty when it can. */
export function clashesOf(announcement: Announcement, others: readonly Announcement[]): string[] {
  const reasons: string[] = [];
  const operations = new Map<string, string>();
  const operationIds = new Map<unknown, string>();
  const paths = new Map<string, { path: string; service: string }>();
  const enter = (service: string, operation: AnnouncedOperation, tell: boolean): void => {
    const { method, path } = operation;
    const shape = shapeOf(path);
    const claim = <K>(owners: Map<K, string>, key: K, what: string) => {
      const owner = owners.get(key);
      if (owner !== undefined && tell) reasons.push(`${what} is there already, of ${owner}`);
      else owners.set(key, service);
    };
    claim(operations, `${method} ${shape}`, `${method} ${path}`);
    claim(operationIds, operationIdOf(operation), `the operation id ${String(operationIdOf(operation))}`);
    const known = paths.get(shape);
    if (known && known.path !== path && tell) reasons.push(`${path} is written ${known.path} by ${known.service}`);
    else paths.set(shape, { path, service });
  };
  for (const other of others) for (const operation of other.operations) enter(other.service, operation, false);
  for (const operation of announcement.operations) enter(announcement.service, operation, true);

  const schemas = new Map(others.flatMap((other) => Object.entries(other.schemas).map(([name, schema]) => [name, { schema, service: other.service }] as const)));
  for (const [name, schema] of Object.entries(announcement.schemas)) {
    const known = schemas.get(name);
    if (known && !isDeepStrictEqual(known.schema, schema)) reasons.push(`the schema ${name} is another one at ${known.service}`);
  }
  return reasons;
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const pathForm = /^(\/([A-Za-z0-9._~-]+|\{\w+\}))+$/;

/** What makes a value from the bucket unfit to route by; empty when nothing does. */
export function flawsOf(value: unknown): string[] {
  if (!isObject(value) || typeof value['service'] !== 'string' || !Array.isArray(value['operations']) || !isObject(value['schemas'])) {
    return ['it is not an announcement'];
  }
  return value['operations'].flatMap((operation: unknown) => {
    if (!isObject(operation) || !isObject(operation['openapi'])) return ['an operation is not an object'];
    const { id, method, path, scope, subject, body } = operation;
    const name = `${String(method)} ${String(path)}`;
    return [
      ...(typeof id === 'string' && id !== '' && typeof operation['openapi']['operationId'] === 'string' ? [] : [`${name} has no id`]),
      ...(methods.has(method as string) ? [] : [`${name} has no known method`]),
      ...(typeof path === 'string' && pathForm.test(path) ? [] : [`${name} has no path that can be routed`]),
      ...(isScope(scope) ? [] : [`${name} needs an unknown scope, ${String(scope)}`]),
      ...(typeof subject === 'string' && /^rpc(\.\w+)+$/.test(subject) ? [] : [`${name} has no subject`]),
      ...(body === 'none' || body === 'optional' || body === 'required' ? [] : [`${name} does not say whether it takes a body`]),
    ];
  });
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);
