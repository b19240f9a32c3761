import fc from 'fast-check';
import { OperationTable, type Route } from './operation-table.js';

const route = (method: string, path: string): Route => ({
  id: `${method} ${path}`,
  operationId: path,
  method,
  path,
  scope: null,
  target: { subject: 'rpc.x.y', owner: 'resource-api' },
  body: 'none',
});

const operations = new OperationTable([
  route('GET', '/schedules'),
  route('GET', '/schedules/{id}'),
  route('PUT', '/schedules/{id}'),
  route('GET', '/schedules/current-oncall'),
  route('GET', '/schedules/{id}/shifts'),
  route('DELETE', '/schedules/{id}/overrides/{overrideId}'),
  route('POST', '/alerts/bulk'),
  route('GET', '/alerts/{id}'),
  route('GET', '/{noun}/bulk/x'),
]);

const found = (method: string, path: string) => {
  const result = operations.find(method, path);
  return result.kind === 'route'
    ? [result.route.id, ...Object.values(result.params)]
    : result.kind === 'otherMethods'
      ? result.allowed
      : null;
};

describe('the table of operations', () => {
  it.each([
    ['GET', '/schedules', ['GET /schedules']],
    ['GET', '/schedules/current-oncall', ['GET /schedules/current-oncall']],
    ['PUT', '/schedules/current-oncall', ['GET', 'HEAD', 'OPTIONS']],
    ['GET', '/schedules/sch_1', ['GET /schedules/{id}', 'sch_1']],
    ['HEAD', '/schedules/sch_1', ['GET /schedules/{id}', 'sch_1']],
    ['GET', '/schedules/current-oncall/shifts', ['GET /schedules/{id}/shifts', 'current-oncall']],
    ['DELETE', '/schedules/a/overrides/b', ['DELETE /schedules/{id}/overrides/{overrideId}', 'a', 'b']],
    ['GET', '/alerts/bulk', ['POST', 'OPTIONS']],
    ['GET', '/alerts/bulk/x', ['GET /{noun}/bulk/x', 'alerts']],
    ['GET', '/alerts/other/x', null],
    ['GET', '/alerts/', null],
    ['GET', '/alerts', null],
    ['GET', '/alerts/{id}', ['GET /alerts/{id}', '{id}']],
    ['GET', '', null],
    ['GET', '/__proto__', null],
  ])('%s %s', (method, path, expected) => expect(found(method, path)).toEqual(expected));

  it('finds a path made from each of its templates', () => {
    const segment = fc.stringMatching(/^[a-z]{1,3}$/);
    const template = fc
      .array(fc.oneof(segment, fc.constant('{p}')), { minLength: 1, maxLength: 4 })
      .map((parts) => parts.map((part, i) => (part === '{p}' ? `{p${i}}` : part)));
    fc.assert(
      fc.property(
        fc.uniqueArray(template, { selector: (parts) => parts.join('/'), minLength: 1, maxLength: 12 }),
        (templates) => {
          const table = new OperationTable(templates.map((parts) => route('GET', `/${parts.join('/')}`)));
          for (const parts of templates) {
            const result = table.find(
              'GET',
              `/${parts.map((part) => (part.startsWith('{') ? 'VALUE' : part)).join('/')}`,
            );
            // No template contains `VALUE`, so only the template itself is the best match.
            expect(result).toMatchObject({
              kind: 'route',
              route: { path: `/${parts.join('/')}` },
              params: Object.fromEntries(
                parts.flatMap((part, i) => (part.startsWith('{') ? [[`p${i}`, 'VALUE']] : [])),
              ),
            });
          }
        },
      ),
      { numRuns: 200 },
    );
  });
});
