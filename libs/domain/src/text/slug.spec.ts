import fc from 'fast-check';
import { isOrganizationSlug, isSlug, maxSlugLength, organizationSlugOf, slugOf } from './slug.js';

test.each([
  ['Ship & Sail GmbH', 'ship-sail-gmbh', 'ship-sail-gmbh'],
  ['  Überwald  ', 'uberwald', 'uberwald'],
  ['東京 24', '24', '東京-24'],
  ['한국'.normalize('NFD'), '', '한국'],
  ['!?', '', ''],
  ['a'.repeat(120), 'a'.repeat(100), 'a'.repeat(120)],
])('%j has the slugs %j and %j', (name, client, organization) => {
  expect([slugOf(name), organizationSlugOf(name)]).toEqual([client, organization]);
});

test.each([
  ['acme', true],
  ['a', true],
  ['a--b', true],
  ['', false],
  ['-a', false],
  ['a-', false],
  ['Acme', false],
  ['a b', false],
  ['é', false],
  ['a'.repeat(101), false],
  [7, false],
])('whether %j is a valid slug of a client: %s', (value, expected) => expect(isSlug(value)).toBe(expected));

test('a slug made from a name is valid', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (name) => {
      const slug = slugOf(name);
      if (slug !== '') expect(isSlug(slug)).toBe(true);
      expect(slug.length).toBeLessThanOrEqual(maxSlugLength);
      const organization = organizationSlugOf(name);
      if (organization !== '') expect(isOrganizationSlug(organization)).toBe(true);
    }),
  );
});
