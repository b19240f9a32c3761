import { slugOf } from './slug.js';

it.each([
  ['Ship & Sail GmbH', 'ship-sail-gmbh'],
  ['  Überwald  ', 'uberwald'],
  ['東京 24', '東京-24'],
  ['한국'.normalize('NFD'), '한국'],
])('makes from the name %s the slug %s', (name, slug) => expect(slugOf(name)).toBe(slug));
