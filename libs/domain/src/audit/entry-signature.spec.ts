import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { publicJwkOf } from './ed25519-keys.js';
import {
  auditWriters,
  entrySignatureFault,
  entrySigner,
  writerKeys,
  writerOf,
  writesEntries,
  type AuditWriter,
} from './entry-signature.js';

const privateKeys = Object.fromEntries(
  auditWriters.map((service) => [service, generateKeyPairSync('ed25519').privateKey]),
) as Record<AuditWriter, KeyObject>;
const fileOf = (more: Partial<Record<string, KeyObject[]>> = {}): string =>
  JSON.stringify(
    Object.fromEntries(
      auditWriters.map((service) => [
        service,
        { keys: [privateKeys[service], ...(more[service] ?? [])].map(publicJwkOf) },
      ]),
    ),
  );
const keys = writerKeys(fileOf());
const place = { organizationId: 'org_1', environment: 'live' };
const entry = {
  id: 'aud_1',
  type: 'client.updated',
  changes: [{ field: 'name', before: null, after: { b: 1, a: 2 } }],
};
const signed = entrySigner('resource-api', privateKeys['resource-api'])(place, entry);

it('the signature of the service that writes the entry is right, in whatever order its properties are', () => {
  expect(entrySignatureFault(place, entry, signed, keys)).toBeNull();
  const reordered = {
    changes: [{ after: { a: 2, b: 1 }, before: null, field: 'name' }],
    type: entry.type,
    id: 'aud_1',
  };
  expect(entrySignatureFault(place, reordered, signed, keys)).toBeNull();
});

it.each<[string, () => string | null, RegExp]>([
  [
    'another entry',
    () => entrySignatureFault(place, { ...entry, id: 'aud_2' } as typeof entry, signed, keys),
    /signature of the entry by resource-api is wrong/,
  ],
  [
    'another organization',
    () => entrySignatureFault({ ...place, organizationId: 'org_2' }, entry, signed, keys),
    /is wrong/,
  ],
  [
    'another environment',
    () => entrySignatureFault({ ...place, environment: 'test' }, entry, signed, keys),
    /is wrong/,
  ],
  [
    'the name of another service',
    () =>
      entrySignatureFault(
        place,
        { ...entry, type: 'alert.acknowledged' },
        { ...signed, service: 'alert-pipeline' },
        keys,
      ),
    /not a known key of alert-pipeline/,
  ],
  [
    'an entry of another service, signed by itself',
    () => {
      const foreign = { ...entry, type: 'alert.acknowledged' };
      const own = entrySigner('resource-api', privateKeys['resource-api'])(place, foreign);
      return entrySignatureFault(place, foreign, own, keys);
    },
    /resource-api does not write entries of the type alert.acknowledged/,
  ],
  [
    'an entry of the owner of the log',
    () => entrySignatureFault(place, { ...entry, type: 'api_key.created' }, signed, keys),
    /does not write/,
  ],
  [
    'a service that there is not',
    () => entrySignatureFault(place, entry, { ...signed, service: 'constructor' }, keys),
    /does not write/,
  ],
  ['an unknown key', () => entrySignatureFault(place, entry, { ...signed, keyId: 'x' }, keys), /not a known key/],
])('%s has a fault', (_what, fault, reason) => {
  expect(fault()).toMatch(reason);
});

it('keys are rotated: entries of the old and the new one are right', () => {
  const next = generateKeyPairSync('ed25519').privateKey;
  const both = writerKeys(fileOf({ 'resource-api': [next] }));
  const renewed = entrySigner('resource-api', next)(place, entry);
  expect(entrySignatureFault(place, entry, signed, both)).toBeNull();
  expect(entrySignatureFault(place, entry, renewed, both)).toBeNull();
  expect(entrySignatureFault(place, entry, renewed, keys)).toMatch(/not a known key/);
});

it('a file with keys names each service that writes entries, and no other', () => {
  expect(() => writerKeys('{}')).toThrow('The file has no keys of alert-pipeline, resource-api, workflow-engine.');
  expect(() => writerKeys(JSON.stringify({ ...(JSON.parse(fileOf()) as object), notifier: {} }))).toThrow(
    '"notifier" writes no audit entries.',
  );
});

it('no type of entry has two services', () => {
  const nouns = ['alert', 'incident', 'client', 'notification', 'member', 'organization', 'workflow', 'api_key', ''];
  fc.assert(
    fc.property(fc.constantFrom(...nouns), fc.constantFrom('.updated', '.feed_created', '.', ''), (noun, verb) => {
      const services = auditWriters.filter((service) => writesEntries(service, noun + verb));
      expect(services.length).toBeLessThanOrEqual(1);
      expect([services[0] ?? null, null]).toContain(writerOf(noun + verb));
    }),
  );
});
