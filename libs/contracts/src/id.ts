/**
 * Public ids: a prefix for the noun, `_`, and the 32 hex digits of a UUIDv7 (RFC 9562), which sorts by time. The
 * database and NATS messages use the plain UUID; only the API uses the public form.
 */
import { createHash, randomFillSync } from 'node:crypto';

export const idPrefixes = {
  alert: 'alr',
  incident: 'inc',
  client: 'cli',
  workflow: 'wfl',
  schedule: 'sch',
  scheduleOverride: 'ovr',
  integration: 'int',
  suppressionWindow: 'sup',
  member: 'usr',
  apiKey: 'key',
  event: 'evt',
  timelineEntry: 'tml',
  auditEntry: 'aud',
  request: 'req',
  workflowRun: 'run',
  notification: 'ntf',
  page: 'pag',
  organization: 'org',
  team: 'tem',
  escalationPolicy: 'pol',
  bulkJob: 'job',
  passkey: 'psk',
  device: 'dev',
  session: 'ses',
  view: 'viw',
  mailRecipient: 'mrc',
} as const;

export type Noun = keyof typeof idPrefixes;

const hexForm = /^[0-9a-f]{32}$/;
const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether the value is a plain UUID in lower case, of any version. */
export const isUuid = (value: unknown): value is string => typeof value === 'string' && uuidForm.test(value);

export function publicId(noun: Noun, uuid: string): string;
export function publicId(noun: Noun, uuid: string | null): string | null;
export function publicId(noun: Noun, uuid: string | null): string | null {
  return uuid === null ? null : `${idPrefixes[noun]}_${withoutDashes(uuid)}`;
}

/** The UUID in a public id, or `null` when the text is not an id of this noun. Callers treat `null` as not found. */
export function uuidOf(noun: Noun, id: string): string | null {
  const prefix = idPrefixes[noun];
  if (!id.startsWith(`${prefix}_`)) return null;
  const hex = id.slice(prefix.length + 1);
  return hexForm.test(hex) ? withDashes(hex) : null;
}

const withoutDashes = (uuid: string): string =>
  uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);

const withDashes = (hex: string): string =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

// Random bytes are fetched in blocks: a system call for each id would cost more than everything else.
const idsOfPool = 400;
const bytesOfId = 10;
const pool = Buffer.alloc(idsOfPool * bytesOfId);
/** Of each id: 8 digits for the start of its sequence, and the 12 with which it ends. */
let poolHex = '';
let next = idsOfPool;

function refillPool(): void {
  randomFillSync(pool);
  poolHex = pool.toString('hex');
  next = 0;
}

interface Sequence {
  millisecond: number;
  /** The millisecond as the beginning of a UUID. */
  head: string;
  /** 26 bits: the 12 after the version and the 14 after the variant. */
  last: number;
}

/** Ids of the present time and of a given time, such as that of a batch, may alternate. Each kind keeps its order. */
const ofClock: Sequence = { millisecond: -1, head: '', last: 0 };
const ofGivenTime: Sequence = { millisecond: -1, head: '', last: 0 };

/**
 * A new UUIDv7 for the current millisecond, or for the given one. Ids from one process sort in the order of creation,
 * also within a millisecond (RFC 9562 §6.2).
 */
export function newUuid(given?: number): string {
  const now = given ?? Date.now();
  const sequence = given === undefined ? ofClock : ofGivenTime;
  if (next === idsOfPool) refillPool();
  const at = bytesOfId * next++;
  if (now === sequence.millisecond) sequence.last++;
  else {
    sequence.millisecond = now;
    const time = now.toString(16).padStart(12, '0');
    sequence.head = `${time.slice(0, 8)}-${time.slice(8)}`;
    // The random start is in the lower half, so that 33 million increments fit: more than a process can make at once.
    sequence.last = pool.readUInt32BE(at) & 0x1ffffff;
  }
  const versioned = (0x7000 | (sequence.last >>> 14)).toString(16);
  const variant = (0x8000 | (sequence.last & 0x3fff)).toString(16);
  return `${sequence.head}-${versioned}-${variant}-${poolHex.slice(2 * at + 8, 2 * at + 20)}`;
}

/** A UUIDv7 (RFC 9562) of a time in milliseconds and a hash of `parts`: the same input gives the same UUID. */
export function derivedUuid(at: number, ...parts: string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest();
  hash[0] = 0x70 | ((hash[0] as number) & 0x0f);
  hash[2] = 0x80 | ((hash[2] as number) & 0x3f);
  return withDashes(at.toString(16).padStart(12, '0') + hash.toString('hex').slice(0, 20));
}
