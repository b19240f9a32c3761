// Generates libs/client/src/schema.ts, the types of the v1 API, from docs/openapi.json. Nx runs it before targets that
// need the types; the file is not committed.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';

const root = join(import.meta.dirname, '..');
const openapi = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
const schema = astToString(await openapiTypescript(openapi, { defaultNonNullable: false, silent: true }));
writeFileSync(
  join(root, 'libs/client/src/schema.ts'),
  `/** The types of the v1 API, generated from docs/openapi.json by tools/generate-client-schema.mjs. */\n${schema}`,
);
