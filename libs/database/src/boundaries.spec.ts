/**
 * A service owns one schema. In other schemas, it reads only the published views (`<schema>_views`). This test checks
 * the SQL texts of the sources; `published-views.spec.ts` checks the privileges in the database.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../../..');

/** The schemas whose tables the sources of a folder may name. A folder that is not listed has no SQL. */
const folders: { folder: string; schema?: string }[] = [
  { folder: 'apps/auth/src', schema: 'auth' },
  { folder: 'apps/resource-api/src', schema: 'resources' },
  { folder: 'apps/alert-pipeline/src', schema: 'alerts' },
  { folder: 'apps/workflow-engine/src', schema: 'workflows' },
  { folder: 'apps/api-gateway/src' },
  { folder: 'apps/ingest-gateway/src' },
  { folder: 'apps/notifier/src' },
  { folder: 'libs/database/src' },
  { folder: 'libs/persistence/src' },
  // Statements that several services share read views.
  { folder: 'libs/alerting/src' },
];

const schemas = ['auth', 'resources', 'alerts', 'workflows'];

describe('SQL texts', () => {
  /** A table with its schema, as `'alerts.alerts'` or in a statement. Names that the code composes are included. */
  const named = new RegExp(`(?<![\\w./-])(${schemas.join('|')})\\.(\\w+|…)(?![\\w(./-])`, 'g');
  const afterKeyword =
    /\b(?:FROM|JOIN|INTO|UPDATE|ONLY|TRUNCATE|TABLE)\s+(?:ONLY\s+)?"?(\w+)"?\s*\.\s*"?(\w+\b|…)"?(?!\s*\()/gi;
  const tables = new Set(
    readFileSync(join(root, 'libs/database/schema.txt'), 'utf8').match(/(?<=^table )\w+\.\w+/gm) ?? [],
  );

  const tablesIn = (text: string): string[] => [
    ...[...text.matchAll(named)].map(([, schema, table]) => `${schema}.${table}`).filter(isTable),
    ...[...text.matchAll(afterKeyword)].map(([, schema, table]) => `${schema}.${table}`).filter(isOfSchema),
  ];
  const isTable = (name: string): boolean => tables.has(name) || name.endsWith('.…');
  const isOfSchema = (name: string): boolean => schemas.includes(name.split('.')[0] ?? '');

  /** Every literal of a file; the expressions of a template are replaced by `…`. */
  function textsOf(file: string): string[] {
    const texts: string[] = [];
    const visit = (node: ts.Node): void => {
      if (ts.isStringLiteralLike(node)) texts.push(node.text);
      if (ts.isTemplateExpression(node))
        texts.push([node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…'));
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest));
    return texts;
  }

  const sourcesIn = (folder: string): string[] =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !/\.(spec|long)\.ts$/.test(name) && !name.startsWith('migrations/'))
      .map((name) => join(root, folder, name));

  test.each([
    ['SELECT 1 FROM alerts.alerts a', ['alerts.alerts', 'alerts.alerts']],
    ['alerts.timeline', ['alerts.timeline']],
    ['SELECT 1 FROM alerts.… WHERE id = $1', ['alerts.…', 'alerts.…']],
    ['DELETE FROM ONLY auth.unheard_of', ['auth.unheard_of']],
    ['SELECT 1 FROM alerts_views.alerts', []],
    ['SELECT id FROM auth.hold_members($1) AS id', []],
    ['https://alerts.example.com', []],
    ['rpc.auth.admit', []],
  ])('the tables that %j names are %j', (text, expected) => {
    expect(tablesIn(text)).toEqual(expected);
  });

  test.each(folders)('of $folder name no table of another service', ({ folder, schema }) => {
    const foreign = sourcesIn(folder).flatMap((file) =>
      textsOf(file)
        .flatMap(tablesIn)
        .filter((name) => !(schema && name.startsWith(`${schema}.`)))
        .map((name) => `${relative(root, file)}: ${name}`),
    );
    expect([...new Set(foreign)]).toEqual([]);
  });

  test.each(folders)('entities of $folder are tables of its own schema', ({ folder, schema }) => {
    const entity = /@(?:View)?Entity\(\{\s*schema: '(\w+)'/g;
    const named = sourcesIn(folder).flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(entity)].map(([, of]) => `${relative(root, file)}: ${of}`),
    );
    expect(named.filter((name) => !name.endsWith(`: ${schema}`))).toEqual([]);
  });

  test('are all in listed folders', () => {
    const listed = folders.map(({ folder }) => folder);
    const others = ['apps', 'libs']
      .flatMap((kind) => readdirSync(join(root, kind)).map((name) => `${kind}/${name}/src`))
      .filter(
        (folder) =>
          !listed.includes(folder) && !['apps/e2e/src', 'libs/client/src', 'libs/testing/src'].includes(folder),
      );
    const withSql = others.filter((folder) =>
      sourcesIn(folder).some((file) =>
        textsOf(file).some((text) => /\b(SELECT|FROM|INTO|UPDATE)\s+\w+\.\w+/.test(text)),
      ),
    );
    expect(withSql).toEqual([]);
  });
});
