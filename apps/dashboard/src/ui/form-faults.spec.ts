import { schemaOf } from '../../build/api-document.mjs';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Schema } from '@cfworker/json-schema';
import { faultsOf, pathOf } from './form-faults.js';

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../../docs/openapi.json'), 'utf8')) as {
  components: { schemas: Record<string, object> };
};
const schema = (name: string): Schema => schemaOf(document, name) as Schema;
const messages = (name: string, value: unknown): Record<string, string> =>
  Object.fromEntries(faultsOf(schema(name), value).map(({ path, message }) => [path, message]));

describe('the faults of a body', () => {
  it.each<[string, string, unknown, Record<string, string>]>([
    ['nothing for a valid body', 'PostClient', { name: 'Acme', contacts: [{ name: 'Ada', email: 'a@b.example' }] }, {}],
    ['nothing for null where null clears', 'PutClient', { externalId: null }, {}],
    ['a required field', 'PostClient', {}, { name: 'name is missing' }],
    ['an empty text', 'PostClient', { name: '' }, { name: 'name must not be empty' }],
    ['a long text', 'PostClient', { name: 'a'.repeat(201) }, { name: 'name must have at most 200 characters' }],
    ['another type', 'PostClient', { name: 7 }, { name: 'name must be text' }],
    [
      'a field of an entry',
      'PostClient',
      { name: 'Acme', contacts: [{ name: 'Ada', email: 'ada' }] },
      { 'contacts[0].email': 'contacts[0].email must be an e-mail address' },
    ],
    [
      'a form of text',
      'PostClient',
      { name: 'Acme', slug: 'No Spaces' },
      { slug: 'slug does not have the right form' },
    ],
    [
      'a number out of range',
      'PostIntegration',
      { name: 'A', autoResolveAfterSeconds: 0 },
      { autoResolveAfterSeconds: 'autoResolveAfterSeconds must be at least 1' },
    ],
    [
      'a word that is not in the list',
      'PostIntegration',
      { name: 'A', dedupScope: 'world' },
      { dedupScope: 'dedupScope must be one of integration, organization' },
    ],
  ])('are: %s', (_what, name, value, expected) => {
    expect(messages(name, value)).toEqual(expected);
  });
});

it('names a place as the API does', () => {
  expect(['#', '#/name', '#/contacts/0/email', '#/labels/a~1b'].map(pathOf)).toEqual([
    '',
    'name',
    'contacts[0].email',
    'labels.a/b',
  ]);
});

it('has a schema for every body of the document, which refers to nothing outside itself', () => {
  for (const name of Object.keys(document.components.schemas)) {
    const text = JSON.stringify(schema(name));
    expect([name, text.includes('#/components/'), text.includes('"nullable"')]).toEqual([name, false, false]);
  }
});
