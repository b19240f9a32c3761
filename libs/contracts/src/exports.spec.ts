/** The CSV form of each export has all that a record has. */
import { generateSchema } from '@nestjs/swagger';
import { allOperations, announcementOf, type Class, type ExportFile, type Operation } from './index.js';

const exports = allOperations.flatMap((op): [string, Operation, ExportFile][] =>
  op.file ? [[op.operationId, op, op.file]] : [],
);

it('alerts, incidents, notifications and the audit log can be exported', () => {
  expect(exports.map(([name]) => name).sort()).toEqual([
    'exportAlerts',
    'exportAuditLog',
    'exportIncidents',
    'exportNotifications',
  ]);
  expect(allOperations.filter(({ reply }) => reply === 'export').map(({ operationId }) => operationId)).toEqual(
    exports.map(([name]) => name),
  );
});

describe.each(exports)('%s', (_name, op, { columns }) => {
  const { schema } = generateSchema(op.item as Class<unknown> as never);
  const properties = Object.keys((schema as { properties: object }).properties);

  it('has each property of a record in a column, once', () => {
    expect([...new Set(columns.map((column) => column.split('.')[0]))].sort()).toEqual([...properties].sort());
    expect(new Set(columns).size).toBe(columns.length);
    for (const column of columns)
      for (const other of columns) expect([column, other.startsWith(`${column}.`)]).toEqual([column, false]);
  });

  it('has the filters of the list', () => {
    const list = allOperations.find(({ path }) => path === op.path.replace('/export', '')) as Operation;
    expect([op.scope, op.owner]).toEqual([list.scope, list.owner]);
    // The chain of the audit log is exported as a whole.
    if (op.item !== list.item) return expect(op.operationId).toBe('exportAuditLog');
    const names = (of: Operation) =>
      (
        announcementOf(of.owner, [of]).operations[0]?.openapi as { parameters: { name?: string; in: string }[] }
      ).parameters
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name);
    expect(names(op).sort()).toEqual(
      [...names(list).filter((name) => name !== 'limit' && name !== 'cursor'), 'format'].sort(),
    );
  });
});
