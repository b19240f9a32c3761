/**
 * Finds the operation of a method and a path. Fastify takes no routes after its start, but operations are announced at
 * any time: so they are in a table of find-my-way, Fastify's own router, that is built anew with each announcement. A
 * literal segment wins over a parameter: `/schedules/current-oncall` is no schedule.
 */
import type { Deprecation } from '@ams/contracts';
import type { Scope } from '@ams/scopes';
import createRouter from 'find-my-way';
import { allowedOf } from '../http/methods.js';
import { literalUrl } from '../http/literal-url.js';

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

export type Found =
  /** The parameters are as they stand in the URL, not decoded yet. */
  | { kind: 'route'; route: Route; params: Record<string, string> }
  | { kind: 'otherMethods'; allowed: string[] }
  | { kind: 'nothing' };

const nothing: Found = { kind: 'nothing' };

/** What find-my-way keeps for a path. */
interface Methods {
  routes: Map<string, Route>;
  allowed: string[];
}

export class OperationTable {
  private readonly router = createRouter({ caseSensitive: true, maxParamLength: 8192 });

  constructor(readonly all: readonly Route[]) {
    for (const [path, routes] of byPath(all)) {
      const methods: Methods = { routes, allowed: allowedOf([...routes.keys()]) };
      // One entry for a path, whatever its methods are: find-my-way has a tree for each method, and a literal segment
      // would win over a parameter only among the paths of one method.
      this.router.on('GET', path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, methods);
    }
  }

  /** `path` is below `/api/v1` and begins with a slash. HEAD finds what GET does. */
  find(method: string, path: string): Found {
    const found = this.router.find('GET', literalUrl(path));
    if (!found) return nothing;
    const params = found.params as Record<string, string>;
    if (Object.values(params).includes('')) return nothing;
    const { routes, allowed } = found.store as Methods;
    const route = routes.get(method === 'HEAD' ? 'GET' : method);
    return route ? { kind: 'route', route, params } : { kind: 'otherMethods', allowed };
  }
}

function byPath(all: readonly Route[]): Map<string, Map<string, Route>> {
  const paths = new Map<string, Map<string, Route>>();
  for (const route of all) {
    const routes = paths.get(route.path);
    if (routes) routes.set(route.method, route);
    else paths.set(route.path, new Map([[route.method, route]]));
  }
  return paths;
}

export const segmentsOf = (path: string): string[] => path.slice(1).split('/');

export const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}');
