import fc from 'fast-check';
import { idPrefixes, isUuid, newUuid, publicId, uuidOf, type Noun } from './id.js';
import { isApiKey, isIngestToken, newApiKey, newIngestToken } from './wire/credentials.js';

const nouns = Object.keys(idPrefixes) as Noun[];

test('ids are unique UUIDs of version 7, carry their time, and sort in the order of creation', () => {
  const ids = Array.from({ length: 5000 }, () => newUuid());
  expect(new Set(ids).size).toBe(ids.length);
  expect([...ids].sort()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const time = newUuid(1_700_000_000_123).replaceAll('-', '').slice(0, 12);
  expect(Number.parseInt(time, 16)).toBe(1_700_000_000_123);
});

test('a public id converts to its UUID only for its own noun', () => {
  fc.assert(
    fc.property(fc.constantFrom(...nouns), fc.constantFrom(...nouns), (noun, other) => {
      const uuid = newUuid();
      expect(uuidOf(noun, publicId(noun, uuid))).toBe(uuid);
      if (noun !== other) expect(uuidOf(other, publicId(noun, uuid))).toBeNull();
    }),
  );
});

test('text that is not an id gives null', () => {
  fc.assert(fc.property(fc.string(), (text) => expect(uuidOf('alert', text)).toBeNull()));
  fc.assert(fc.property(fc.string(), (text) => expect(uuidOf('alert', `alr_${text}`)).toBeNull()));
});

test('isUuid accepts plain UUIDs only', () => {
  const uuid = newUuid();
  expect(isUuid(uuid)).toBe(true);
  for (const other of [
    publicId('alert', uuid),
    `${uuid} `,
    uuid.toUpperCase().replace(/^./, 'A'),
    uuid.slice(1),
    '',
    1,
    null,
  ])
    expect(isUuid(other)).toBe(false);
});

test('credentials have a valid checksum, and a changed character makes it invalid', () => {
  fc.assert(
    fc.property(fc.constantFrom('live' as const, 'test' as const), fc.nat(), (environment, at) => {
      const key = newApiKey(environment);
      const token = newIngestToken();
      expect([isApiKey(key), key.length, isIngestToken(token), token.length]).toEqual([true, 47, true, 32]);
      const changed = (text: string, from: number): string => {
        const index = from + (at % (text.length - from));
        return text.slice(0, index) + (text[index] === 'x' ? 'y' : 'x') + text.slice(index + 1);
      };
      expect(isApiKey(changed(key, 9))).toBe(false);
      expect(isIngestToken(changed(token, 0))).toBe(false);
    }),
  );
});

test('ids of one given time sort in the order of creation, with ids of other times between them', () => {
  const ids = Array.from({ length: 50 }, (_, n) => {
    newUuid();
    return newUuid(1_700_000_000_000 + (n >= 25 ? 1 : 0));
  });
  expect([...ids].sort()).toEqual(ids);
});

test('more ids than a process makes in a millisecond, all of one time, are in order', () => {
  const ids = Array.from({ length: 20_000 }, () => newUuid(1_700_000_000_500));
  expect([...ids].sort()).toEqual(ids);
  expect(new Set(ids.map((id) => id.slice(0, 13)))).toEqual(new Set(['018bcfe5-69f4']));
});
