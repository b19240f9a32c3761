/** The identity of alerts: the fingerprint that groups events into one alert, and the partition that processes it. */
import { createHash } from 'node:crypto';

/** The longest sender's key (UTF-16 code units) that is used unchanged. */
export const maxFingerprintLength = 255;

/**
 * The fingerprint of an alert without a key from its sender: SHA-256 in lower-case hex of
 *
 *     u32be(bytes of title) ‖ title ‖ u32be(bytes of source) ‖ source
 *
 * in UTF-8, where a missing source is empty. The lengths distinguish ("ab", "c") from ("a", "bc"). Stored alerts are
 * found by it, so the format must never change.
 */
export function generatedFingerprint(title: string, source: string | null): string {
  const from = source ?? '';
  const titleBytes = Buffer.byteLength(title);
  const sourceBytes = Buffer.byteLength(from);
  const bytes = Buffer.allocUnsafe(8 + titleBytes + sourceBytes);
  bytes.writeUInt32BE(titleBytes, 0);
  bytes.write(title, 4);
  bytes.writeUInt32BE(sourceBytes, 4 + titleBytes);
  bytes.write(from, 8 + titleBytes);
  return createHash('sha256').update(bytes).digest('hex');
}

/**
 * A sender's own key: unchanged up to 255 characters, longer keys as SHA-256 in hex, because cutting would merge
 * alerts.
 */
export function explicitFingerprint(key: string): string {
  return key.length <= maxFingerprintLength ? key : createHash('sha256').update(key).digest('hex');
}

/** The fingerprint of the alert of a heartbeat. */
export const heartbeatFingerprint = (name: string): string => explicitFingerprint(`heartbeat:${name}`);

const fnvOffset = 0x811c9dc5;
const fnvPrime = 0x01000193;

/** FNV-1a, 32 bits, two bytes (low, high) for each UTF-16 code unit. */
function fnv1a(hash: number, text: string): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    hash = Math.imul(hash ^ (unit & 0xff), fnvPrime);
    hash = Math.imul(hash ^ (unit >>> 8), fnvPrime);
  }
  return hash;
}

/**
 * The partition (0 to partitions - 1, `partitions` is an integer of at least 1) of a fingerprint. It is always the same
 * for the same alert, so that its events stay in order.
 */
export function partitionOf(
  organizationId: string,
  environment: string,
  fingerprint: string,
  partitions: number,
): number {
  let hash = fnv1a(fnvOffset, organizationId);
  hash = fnv1a(hash, '\n');
  hash = fnv1a(hash, environment);
  hash = fnv1a(hash, '\n');
  hash = fnv1a(hash, fingerprint);
  // The low bits of FNV are the least random, so they are combined with the high half before the modulus.
  return ((hash ^ (hash >>> 16)) >>> 0) % partitions;
}
