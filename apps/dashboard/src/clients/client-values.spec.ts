import { bodyOf, emptyClient, valuesOf } from './client-values.js';

const client = {
  id: 'cli_1',
  name: 'Acme',
  slug: 'acme',
  externalId: null,
  description: 'Ships',
  aliases: ['acme-eu'],
  contacts: [{ name: 'Ada', email: 'ada@acme.example' }],
  timezone: 'Europe/Berlin',
  openAlertCount: 0,
  createdAt: '2026-11-20T13:00:00.000Z',
  updatedAt: '2026-11-20T13:00:00.000Z',
  version: 1,
};

it('sends what can be changed, and null for what is empty', () => {
  expect(bodyOf(valuesOf(client))).toEqual({
    name: 'Acme',
    slug: 'acme',
    externalId: null,
    description: 'Ships',
    aliases: ['acme-eu'],
    contacts: client.contacts,
    timezone: 'Europe/Berlin',
  });
});

it('leaves a slug that is not typed to the API', () => {
  expect(bodyOf({ ...emptyClient('UTC'), name: 'New' })).not.toHaveProperty('slug');
});
