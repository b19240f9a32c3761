/**
 * Signatures of audit entries by the services that write them, and which service writes which entries. So a service
 * that was taken over cannot write entries of another one.
 *
 * What is signed is the entry as it is exported, so an export can be checked without the installation.
 */
import { sign, verify, type KeyObject } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';
import { keysOfSet, publicJwkOf, type VerificationKeys } from './ed25519-keys.js';

/** The beginnings of the types of entries that each service writes. All others are written by `auth`, the owner. */
const typesOf = {
  'alert-pipeline': ['alert.', 'incident.'],
  'resource-api': [
    'client.',
    'escalation_policy.',
    'integration.',
    'member.feed_',
    'organization.updated',
    'schedule.',
    'suppression_window.',
    'team.',
    'view.',
    'workflow.',
  ],
  'workflow-engine': ['notification.'],
} as const;

export type AuditWriter = keyof typeof typesOf;
/** The services that send their entries to `auth`. */
export const auditWriters = Object.keys(typesOf) as AuditWriter[];

/** Whether the service writes entries of this type. */
export const writesEntries = (service: string, type: string): boolean =>
  Object.hasOwn(typesOf, service) && typesOf[service as AuditWriter].some((beginning) => type.startsWith(beginning));

/** Types that `auth` and its admin command write, too. */
const alsoOfOwner = ['organization.updated'];

/** The service that must have signed an entry of this type; null: `auth` may have written it, which signs checkpoints. */
export const writerOf = (type: string): AuditWriter | null =>
  alsoOfOwner.includes(type) ? null : (auditWriters.find((service) => writesEntries(service, type)) ?? null);

export interface EntrySignature {
  service: string;
  /** The thumbprint of the public key. */
  keyId: string;
  /** base64url, 86 characters. */
  signature: string;
}

/** The audit log in which the entry is; public ids. */
export interface EntryPlace {
  organizationId: string;
  environment: string;
}

interface TypedEntry {
  type: string;
}

/** A line with the format, and one with the place, the signer and the entry in canonical JSON. */
const signedText = (place: EntryPlace, { service, keyId }: Omit<EntrySignature, 'signature'>, entry: object): Buffer =>
  Buffer.from(
    `ams-audit-entry-1\n${canonicalJson({ organizationId: place.organizationId, environment: place.environment, service, keyId, entry })}`,
  );

/** Signs entries with the key of the service. */
export function entrySigner(service: string, key: KeyObject): (place: EntryPlace, entry: object) => EntrySignature {
  const { kid: keyId } = publicJwkOf(key);
  return (place, entry) => ({
    service,
    keyId,
    signature: sign(null, signedText(place, { service, keyId }, entry), key).toString('base64url'),
  });
}

/** The public keys of each service that writes entries. */
export type WriterKeys = ReadonlyMap<string, VerificationKeys>;

/** Reads `{service: {keys: [JSON Web Keys]}}`. Throws an error with a sentence when a service is unknown or missing. */
export function writerKeys(text: string): WriterKeys {
  const sets = JSON.parse(text) as Record<string, unknown>;
  const keys = new Map(
    Object.entries(sets).map(([service, set]) => {
      if (!auditWriters.includes(service as AuditWriter)) throw new Error(`"${service}" writes no audit entries.`);
      return [service, keysOfSet(set)];
    }),
  );
  const missing = auditWriters.filter((service) => !keys.has(service));
  if (missing.length > 0) throw new Error(`The file has no keys of ${missing.join(', ')}.`);
  return keys;
}

/** Why the service named in the signature did not write this entry, or null. */
export function entrySignatureFault(
  place: EntryPlace,
  entry: TypedEntry,
  by: EntrySignature,
  keys: WriterKeys,
): string | null {
  if (!writesEntries(by.service, entry.type)) return `${by.service} does not write entries of the type ${entry.type}`;
  const key = keys.get(by.service)?.get(by.keyId);
  if (!key) return `the entry is signed by the key ${by.keyId}, which is not a known key of ${by.service}`;
  return verify(null, signedText(place, by, entry), key, Buffer.from(by.signature, 'base64url'))
    ? null
    : `the signature of the entry by ${by.service} is wrong`;
}
