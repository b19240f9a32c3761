/**
 * Finds the operation of a method and a path. Fastify accepts no new routes after its start, but operations can be
 * announced at any time. So they are in a table of find-my-way, Fastify's own router, which is built again after each
 * announcement. A literal segment takes precedence over a parameter: `/schedules/current-oncall` is not a schedule.
 */
import type { Counts, Deprecation, ExportFile } from '@ams/contracts';
import type { Scope } from '@ams/scopes';
import createRouter from 'find-my-way';
import { allowedOf } from '../http/methods.js';
import { literalUrl } from '../http/literal-url.js';
import type { Target } from '../rpc/raw-rpc-client.js';

export interface Route {
  id: string;
  operationId: string;
  method: string;
  /** Below `/api/v1`, parameters in braces. */
  path: string;
  /** `null`: only a valid credential is required. */
  scope: Scope | null;
  /** As `Operation.access`. */
  access?: 'member' | 'public' | undefined;
  /** The service that answers, and the subject on which it listens; `null`: the gateway answers itself. */
  target: Target | null;
  body: 'none' | 'optional' | 'required';
  deprecated?: Deprecation | undefined;
  counts?: Counts | undefined;
  /** Of an export. */
  file?: ExportFile | undefined;
}

export type Found =
  /** The parameters are encoded as in the URL. */
  | { kind: 'route'; route: Route; params: Record<string, string> }
  | { kind: 'otherMethods'; allowed: string[] }
  | { kind: 'nothing' };

const nothing: Found = { kind: 'nothing' };

/** What find-my-way stores for a path. */
interface Methods {
  routes: Map<string, Route>;
  allowed: string[];
}

export class OperationTable {
  private readonly router = createRouter({ caseSensitive: true, maxParamLength: 8192 });

  constructor(readonly all: readonly Route[]) {
    for (const [path, routes] of byPath(all)) {
      const methods: Methods = { routes, allowed: allowedOf([...routes.keys()]) };
      // One entry for a path with all its methods: find-my-way has a tree for each method, and a literal segment
      // would take precedence over a parameter only among the paths of one method.
      this.router.on('GET', path.replaceAll(/\{(\w+)\}/g, ':$1'), () => undefined, methods);
    }
  }

  /** `path` is below `/api/v1` and begins with a slash. HEAD finds the operation of GET. */
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
