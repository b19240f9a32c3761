/**
 * The routing table: a tree of path segments, built anew whenever an announcement changes and never altered. A segment
 * that is written out wins over a parameter, so `/schedules/current-oncall` is no schedule.
 */
import type { Deprecation } from '@ams/contracts';
import type { Scope } from '@ams/scopes';

export interface Route {
  id: string;
  operationId: string;
  method: string;
  /** Below `/api/v1`, parameters in braces. */
  path: string;
  /** `null` asks for a valid key only. */
  scope: Scope | null;
  /** Where the owner listens; `null` is the gateway itself. */
  subject: string | null;
  body: 'none' | 'optional' | 'required';
  deprecated?: Deprecation | undefined;
}

interface Node {
  written: Map<string, Node>;
  parameter: Node | null;
  routes: Map<string, Route> | null;
  /** For HEAD, OPTIONS and 405. */
  allowed: string[];
}

export type Found =
  /** The values of the parameters as they stand in the URL, not decoded yet, in the order of the path. */
  { kind: 'route'; route: Route; values: string[] } | { kind: 'otherMethods'; allowed: string[] } | { kind: 'nothing' };

const nothing: Found = { kind: 'nothing' };

export class Routes {
  private readonly root: Node = node();

  constructor(readonly all: readonly Route[]) {
    for (const route of all) this.add(route);
  }

  private add(route: Route): void {
    let at = this.root;
    for (const segment of segmentsOf(route.path)) {
      if (isParameter(segment)) at = at.parameter ??= node();
      else {
        const next = at.written.get(segment) ?? node();
        at.written.set(segment, next);
        at = next;
      }
    }
    (at.routes ??= new Map()).set(route.method, route);
    at.allowed = allowedOf([...at.routes.keys()]);
  }

  /** `path` is below `/api/v1` and begins with a slash. HEAD finds what GET does. */
  find(method: string, path: string): Found {
    const values: string[] = [];
    const end = descend(this.root, segmentsOf(path), 0, values);
    if (!end?.routes) return nothing;
    const route = end.routes.get(method === 'HEAD' ? 'GET' : method);
    return route ? { kind: 'route', route, values } : { kind: 'otherMethods', allowed: end.allowed };
  }
}

const node = (): Node => ({ written: new Map(), parameter: null, routes: null, allowed: [] });

export const segmentsOf = (path: string): string[] => path.slice(1).split('/');

export const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');

export const parametersOf = (path: string): string[] =>
  segmentsOf(path)
    .filter(isParameter)
    .map((segment) => segment.slice(1, -1));

function descend(at: Node, segments: string[], depth: number, values: string[]): Node | null {
  const segment = segments[depth];
  if (segment === undefined) return at.routes ? at : null;
  const written = at.written.get(segment);
  const found = written && descend(written, segments, depth + 1, values);
  if (found) return found;
  if (!at.parameter || segment === '') return null;
  values.push(segment);
  const below = descend(at.parameter, segments, depth + 1, values);
  if (!below) values.pop();
  return below;
}

const order = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

const allowedOf = (methods: string[]): string[] =>
  [...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'].sort(
    (a, b) => order.indexOf(a) - order.indexOf(b),
  );
