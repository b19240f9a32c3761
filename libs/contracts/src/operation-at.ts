/** Finds the operation of a method and a path, as the API gateway does for a request. */
import type { Operation } from './operation.js';

export type OperationAt =
  | { kind: 'operation'; operation: Operation; params: Record<string, string> }
  | { kind: 'otherMethods'; allowed: string[] }
  | { kind: 'nothing' };

const parameterName = (segment: string): string | null => /^\{(\w+)\}$/.exec(segment)?.[1] ?? null;

/** `path` is below `/api/v1` and begins with a slash. A literal segment takes precedence over a parameter. */
export function operationAt(operations: readonly Operation[], method: string, path: string): OperationAt {
  const segments = path.split('/');
  const found = operations.flatMap((operation) => {
    const params = paramsOf(operation.path.split('/'), segments);
    return params === null ? [] : [{ operation, params }];
  });
  const [best] = found.map(({ operation }) => operation.path).sort((a, b) => (isMoreLiteral(a, b) ? -1 : 1));
  const here = found.filter(({ operation }) => operation.path === best);
  const match = here.find(({ operation }) => operation.method === method);
  if (match) return { kind: 'operation', ...match };
  return here.length === 0
    ? { kind: 'nothing' }
    : { kind: 'otherMethods', allowed: here.map(({ operation }) => operation.method) };
}

function paramsOf(template: string[], segments: string[]): Record<string, string> | null {
  if (template.length !== segments.length) return null;
  const params: Record<string, string> = {};
  for (const [index, expected] of template.entries()) {
    const segment = segments[index] as string;
    const name = parameterName(expected);
    if (name === null && segment !== expected) return null;
    if (name === null) continue;
    const value = decoded(segment);
    if (value === null || value === '') return null;
    params[name] = value;
  }
  return params;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}

/** Whether the first segment in which the paths differ is a parameter only in `b`. */
function isMoreLiteral(a: string, b: string): boolean {
  const [of, than] = [a.split('/'), b.split('/')];
  const index = of.findIndex((segment, at) => segment !== than[at]);
  return parameterName(of[index] ?? '') === null;
}
