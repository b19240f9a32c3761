/**
 * Builds one interface from the parts that services announce. A part whose operations conflict with those of another
 * service is refused, and the old part of that service stays. The refused part is tried again whenever another part
 * changes, because an operation may be moving from one service to another.
 *
 * Services share schemas. When a schema changes, one service announces it before the other. Until all have announced
 * it, the schema is the one that was announced last.
 */
import type { AnnouncedOperation, Announcement } from '@ams/contracts';
import { isScope } from '@ams/scopes';
import { isDeepStrictEqual } from 'node:util';
import { isParameter, segmentsOf } from './operation-table.js';

export interface Refusal {
  service: string;
  reasons: string[];
}

interface Offer {
  announcement: Announcement;
  place: number;
}

export class AnnouncedParts {
  private readonly taken = new Map<string, Offer>();
  private readonly refused = new Map<string, Offer & { reasons: string[] }>();

  /** `own` is the part of the gateway itself, which no other part may redefine. */
  constructor(private readonly own: Announcement) {}

  /**
   * Returns whether the interface changed; `refusals` has the refused parts. `place` is the position in the order of
   * all announcements.
   */
  offer(announcement: Announcement, place: number): boolean {
    this.refused.delete(announcement.service);
    if (!this.take({ announcement, place })) return false;
    // A refused part may no longer have a conflict.
    for (let again = true; again;) {
      again = [...this.refused.values()].some((waiting) => this.take(waiting));
    }
    return true;
  }

  private take({ announcement, place }: Offer): boolean {
    const { service } = announcement;
    const others = [...this.taken.values()]
      .map((other) => other.announcement)
      .filter((other) => other.service !== service);
    const reasons = conflictsOf(announcement, others, this.own);
    if (reasons.length > 0) {
      this.refused.set(service, { announcement, place, reasons });
      return false;
    }
    this.refused.delete(service);
    this.taken.set(service, { announcement, place });
    return true;
  }

  /** In the order in which they were announced, the same for every replica. */
  get accepted(): Announcement[] {
    return [...this.taken.values()].sort((a, b) => a.place - b.place).map(({ announcement }) => announcement);
  }

  get refusals(): Refusal[] {
    return [...this.refused].map(([service, { reasons }]) => ({ service, reasons }));
  }
}

/** For a router `/alerts/{id}` and `/alerts/{alertId}` are the same path. */
const shapeOf = (path: string): string =>
  segmentsOf(path)
    .map((segment) => (isParameter(segment) ? '{}' : segment))
    .join('/');

const operationIdOf = (operation: AnnouncedOperation): unknown => operation.openapi['operationId'];

/** Why the announcement conflicts with the others or with the gateway's own part; empty when it does not. */
export function conflictsOf(announcement: Announcement, others: readonly Announcement[], own: Announcement): string[] {
  const reasons: string[] = [];
  const operations = new Map<string, string>();
  const operationIds = new Map<unknown, string>();
  const paths = new Map<string, { path: string; service: string }>();
  const enter = (service: string, operation: AnnouncedOperation, report: boolean): void => {
    const { method, path } = operation;
    const shape = shapeOf(path);
    const claim = <K>(owners: Map<K, string>, key: K, what: string) => {
      const owner = owners.get(key);
      if (owner !== undefined && report) reasons.push(`${what} belongs to ${owner} already`);
      else owners.set(key, service);
    };
    claim(operations, `${method} ${shape}`, `${method} ${path}`);
    claim(operationIds, operationIdOf(operation), `the operation id ${String(operationIdOf(operation))}`);
    const known = paths.get(shape);
    if (known && known.path !== path && report) reasons.push(`${path} is written ${known.path} by ${known.service}`);
    else paths.set(shape, { path, service });
  };
  for (const other of [own, ...others])
    for (const operation of other.operations) enter(other.service, operation, false);
  for (const operation of announcement.operations) enter(announcement.service, operation, true);

  for (const [name, schema] of Object.entries(announcement.schemas)) {
    if (Object.hasOwn(own.schemas, name) && !isDeepStrictEqual(own.schemas[name], schema))
      reasons.push(`the schema ${name} differs from that of ${own.service}`);
  }
  return reasons;
}

/** Schemas that services announce differently while a new version is rolled out: `Alert of alert-pipeline and auth`. */
export function differencesOf(announcements: readonly Announcement[]): string[] {
  const differing: string[] = [];
  const known = new Map<string, { schema: unknown; service: string }>();
  for (const { service, schemas } of announcements) {
    for (const [name, schema] of Object.entries(schemas)) {
      const first = known.get(name);
      if (!first) known.set(name, { schema, service });
      else if (!isDeepStrictEqual(first.schema, schema)) differing.push(`${name} of ${first.service} and ${service}`);
    }
  }
  return differing;
}

const methods = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);
const pathForm = /^(\/([A-Za-z0-9._~-]+|\{\w+\}))+$/;

/** Why a value from the bucket cannot be used; empty when it can. */
export function faultsOf(value: unknown): string[] {
  if (
    !isObject(value) ||
    typeof value['service'] !== 'string' ||
    !Array.isArray(value['operations']) ||
    !isObject(value['schemas'])
  ) {
    return ['it is not an announcement'];
  }
  return value['operations'].flatMap((operation: unknown) => {
    if (!isObject(operation) || !isObject(operation['openapi'])) return ['an operation is not an object'];
    const { id, method, path, scope, access, subject, body, deprecated, file } = operation;
    const name = `${String(method)} ${String(path)}`;
    return [
      ...(typeof id === 'string' && id !== '' && typeof operation['openapi']['operationId'] === 'string'
        ? []
        : [`${name} has no id`]),
      ...(methods.has(method as string) ? [] : [`${name} has no known method`]),
      ...(typeof path === 'string' && pathForm.test(path) ? [] : [`${name} has no path that can be routed`]),
      ...(scope === '' || isScope(scope) ? [] : [`${name} needs an unknown scope, ${String(scope)}`]),
      ...(access === undefined || access === 'member' || access === 'public'
        ? []
        : [`${name} has an unknown access, ${String(access)}`]),
      ...(typeof subject === 'string' && /^rpc(\.\w+)+$/.test(subject) ? [] : [`${name} has no subject`]),
      ...(body === 'none' || body === 'optional' || body === 'required'
        ? []
        : [`${name} does not say whether it takes a body`]),
      ...(file === undefined || isFile(file) ? [] : [`${name} has a file without name or columns`]),
      ...(deprecated === undefined || isDeprecation(deprecated)
        ? []
        : [`${name} is deprecated without dates or successor`]),
    ];
  });
}

const isDay = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

const isDeprecation = (value: unknown): boolean =>
  isObject(value) &&
  isDay(value['since']) &&
  isDay(value['sunset']) &&
  typeof value['successor'] === 'string' &&
  pathForm.test(value['successor']);

const isFile = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['name'] === 'string' &&
  /^[\w-]+$/.test(value['name']) &&
  Array.isArray(value['columns']) &&
  value['columns'].every((column) => typeof column === 'string');

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
