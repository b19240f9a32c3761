/**
 * Checks an export of the audit log, line by line, in constant memory: whether it is what the checkpoints in it were
 * signed for. Pure, so it works on a machine that has nothing but the export and the public keys.
 *
 * The export alone cannot show that its end, with the checkpoints there, was cut off. A checkpoint that is known from
 * elsewhere (`known`) shows it.
 */
import { emptyChain, entryHashOf, linkHashOf, type ChainEnd, type ChainLink } from './audit-chain.js';
import { checkpointFault, type Checkpoint } from './audit-checkpoint.js';
import type { VerificationKeys } from './ed25519-keys.js';
import {
  entrySignatureFault,
  writerOf,
  type EntryPlace,
  type EntrySignature,
  type WriterKeys,
} from './entry-signature.js';

/** A line of an export. */
export interface ExportedLink extends ChainLink {
  /** Null: it is older than the operator keeps entries. */
  entry: { id: string; type?: unknown; occurredAt?: unknown } | null;
  /** The checkpoint of this sequence, if there is one. */
  checkpoint: Checkpoint | null;
  /** The signature of the service that wrote the entry; absent when it is not signed. */
  writer?: EntryPlace & EntrySignature;
}

export interface VerifiedExport {
  organizationId: string;
  environment: string;
  firstSequence: number;
  lastSequence: number;
  /** Lines whose entry was deleted because of its age. */
  deleted: number;
  /** The last sequence that a checkpoint covers: later entries are in order, but not signed yet. */
  signedSequence: number;
  signedAt: string;
  /** Entries with a signature of the service that wrote them. It was checked when the keys of the services are given. */
  signedByWriter: number;
  /** Entries without one that services other than `auth` write: before services had keys, or let in by an operator. */
  unsignedByWriter: number;
}

/** How the signatures of entries by the services that wrote them are checked. */
export interface WriterCheck {
  keys: WriterKeys;
  /** An unsigned entry of a service at or after this time, in milliseconds, is wrong. Null: it is counted. */
  requiredSince: number | null;
}

export type VerificationOutcome =
  | { kind: 'whole'; result: VerifiedExport }
  /** `line`: from 1. A fault that concerns the whole file is at its last line. */
  | { kind: 'wrong'; line: number; reason: string };

const shapes = {
  sequence: (value: unknown) => Number.isSafeInteger(value) && (value as number) > 0,
  entryId: (value: unknown) => typeof value === 'string' && /^aud_[0-9a-f]{32}$/.test(value),
  entryHash: (value: unknown) => isHash(value),
  hash: (value: unknown) => isHash(value),
  entry: isObjectOrNull,
  checkpoint: (value: unknown) => value === null || hasShape(value, checkpointShapes),
};

const checkpointShapes = {
  organizationId: isText,
  environment: isText,
  sequence: shapes.sequence,
  hash: shapes.hash,
  keptSince: (value: unknown) => value === null || isTime(value),
  signedAt: isTime,
  keyId: isText,
  signature: isSignature,
};

const writerShapes = {
  organizationId: isText,
  environment: isText,
  service: isText,
  keyId: isText,
  signature: isSignature,
};

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

function isHash(value: unknown): boolean {
  return typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);
}

/** The one form of 64 bytes in base64url. */
function isSignature(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64url');
  return bytes.length === 64 && bytes.toString('base64url') === value;
}

function isObjectOrNull(value: unknown): boolean {
  return typeof value === 'object' && !Array.isArray(value);
}

/** Whether the value has these properties and no others. */
function hasShape(value: unknown, shape: Record<string, (content: unknown) => boolean>): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const names = Object.keys(value);
  return (
    names.length === Object.keys(shape).length &&
    names.every((name) => Object.hasOwn(shape, name) && shape[name]?.((value as Record<string, unknown>)[name]))
  );
}

/** The time in a UUIDv7, in milliseconds. */
const timeOfId = (id: string): number => Number.parseInt(id.slice(4, 16), 16);

class WrongLine extends Error {}

/** The lines of an export without the checkpoints of other exports; a whole one has the checkpoints of `lines` itself. */
export function readCheckpoints(lines: Iterable<string>): Checkpoint[] {
  return [...lines].flatMap((text) => {
    if (text.trim() === '') return [];
    const value = JSON.parse(text) as Partial<ExportedLink> | null;
    const checkpoint = value && 'checkpoint' in value ? value.checkpoint : value;
    if (checkpoint === null) return [];
    if (!hasShape(checkpoint, checkpointShapes)) throw new Error('A line has no checkpoint of the right form.');
    return [checkpoint as Checkpoint];
  });
}

export class ExportVerifier {
  private line = 0;
  private end: ChainEnd | null = null;
  private first: ExportedLink | null = null;
  private signed: Checkpoint | null = null;
  /** Which log the signatures of entries are of. */
  private place: EntryPlace | null = null;
  private signedByWriter = 0;
  private unsignedByWriter = 0;
  private readonly deleted: { line: number; at: number }[] = [];
  private readonly known = new Map<number, Checkpoint[]>();

  /** `known`: checkpoints of the same audit log that must agree with the export. */
  constructor(
    private readonly keys: VerificationKeys,
    known: readonly Checkpoint[] = [],
    private readonly writers: WriterCheck | null = null,
  ) {
    for (const checkpoint of known) {
      const fault = checkpointFault(checkpoint, keys);
      if (fault) throw new Error(`Of the known checkpoints, that of sequence ${checkpoint.sequence}: ${fault}.`);
      this.known.set(checkpoint.sequence, [...(this.known.get(checkpoint.sequence) ?? []), checkpoint]);
    }
  }

  /** The outcome when the line is wrong, else null. After a wrong line the verification is over. */
  add(text: string): VerificationOutcome | null {
    this.line++;
    return this.outcomeOf(() => this.check(linkIn(text)));
  }

  /** After the last line. */
  finish(): VerificationOutcome {
    return (
      this.outcomeOf(() => this.checkWhole()) ?? {
        kind: 'whole',
        result: this.resultOf(this.first as ExportedLink, this.end as ChainEnd, this.signed as Checkpoint),
      }
    );
  }

  private outcomeOf(work: () => void): VerificationOutcome | null {
    try {
      work();
      return null;
    } catch (error) {
      if (!(error instanceof WrongLine)) throw error;
      return { kind: 'wrong', line: this.line, reason: error.message };
    }
  }

  private check(link: ExportedLink): void {
    const { sequence, entry, entryId, entryHash, hash, checkpoint } = link;
    const before = this.end ?? (sequence === 1 ? emptyChain : null);
    if (before && sequence !== before.sequence + 1)
      throw new WrongLine(`sequence ${sequence} follows sequence ${before.sequence}`);
    if (!before && !checkpoint) throw new WrongLine('the export begins neither at sequence 1 nor with a checkpoint');
    if (entry && entry.id !== entryId) throw new WrongLine('the entry has another id than the line');
    if (entry && entryHashOf(entry) !== entryHash) throw new WrongLine('the entry is not the one that was stored');
    if (before && linkHashOf(before.hash, link) !== hash)
      throw new WrongLine('the hash does not fit the line and the hash before it');
    if (checkpoint) this.checkSigned(checkpoint, link);
    this.checkWriter(link);
    this.checkKnown(link);
    if (!entry) this.deleted.push({ line: this.line, at: timeOfId(entryId) });
    this.first ??= link;
    this.end = { sequence, hash };
  }

  private checkSigned(checkpoint: Checkpoint, { sequence, hash }: ChainEnd): void {
    if (checkpoint.sequence !== sequence || checkpoint.hash !== hash)
      throw new WrongLine('the checkpoint is of another line');
    const fault = checkpointFault(checkpoint, this.keys);
    if (fault) throw new WrongLine(fault);
    if (this.signed && !isOfSameLog(this.signed, checkpoint))
      throw new WrongLine('the checkpoint is of another audit log');
    this.signed = checkpoint;
  }

  private checkWriter({ entry, writer }: ExportedLink): void {
    if (!entry) return;
    const type = String(entry.type);
    if (!writer) {
      if (writerOf(type) === null) return;
      this.unsignedByWriter++;
      const since = this.writers?.requiredSince ?? null;
      if (since !== null && Date.parse(String(entry.occurredAt)) >= since)
        throw new WrongLine(`the entry is not signed by ${writerOf(type)}`);
      return;
    }
    this.signedByWriter++;
    if (this.place && !isOfSameLog(this.place, writer))
      throw new WrongLine('the signature of the entry is of another audit log');
    this.place ??= writer;
    const fault = this.writers && entrySignatureFault(writer, { ...entry, type }, writer, this.writers.keys);
    if (fault) throw new WrongLine(fault);
  }

  private checkKnown({ sequence, hash }: ChainEnd): void {
    for (const known of this.known.get(sequence) ?? [])
      if (known.hash !== hash) throw new WrongLine('a checkpoint that is known from elsewhere has another hash');
    this.known.delete(sequence);
  }

  private checkWhole(): void {
    const { end, signed, first } = this;
    if (!end || !first) throw new WrongLine('the export is empty');
    if (!signed) throw new WrongLine('no line has a checkpoint, so nothing is signed');
    if (this.place && !isOfSameLog(this.place, signed))
      throw new WrongLine('the signatures of the entries are of another audit log than the checkpoints');
    for (const known of [...this.known.values()].flat()) {
      if (!isOfSameLog(known, signed)) throw new WrongLine('a known checkpoint is of another audit log');
      if (known.sequence > end.sequence)
        throw new WrongLine(`the end is missing: a known checkpoint covers the entries up to ${known.sequence}`);
    }
    const keptSince = signed.keptSince === null ? 0 : Date.parse(signed.keptSince);
    const missing = this.deleted.find(({ at }) => at >= keptSince);
    if (!missing) return;
    this.line = missing.line;
    throw new WrongLine('the entry is missing, although it is not older than entries are kept');
  }

  private resultOf(first: ExportedLink, end: ChainEnd, signed: Checkpoint): VerifiedExport {
    return {
      organizationId: signed.organizationId,
      environment: signed.environment,
      firstSequence: first.sequence,
      lastSequence: end.sequence,
      deleted: this.deleted.length,
      signedSequence: signed.sequence,
      signedAt: signed.signedAt,
      signedByWriter: this.signedByWriter,
      unsignedByWriter: this.unsignedByWriter,
    };
  }
}

const isOfSameLog = (a: EntryPlace, b: EntryPlace): boolean =>
  a.organizationId === b.organizationId && a.environment === b.environment;

function linkIn(text: string): ExportedLink {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new WrongLine('the line is not JSON');
  }
  const { writer, ...line } = (value ?? {}) as { writer?: unknown };
  if (!hasShape(line, shapes) || (writer !== undefined && !hasShape(writer, writerShapes)))
    throw new WrongLine('the line does not have the form of an export');
  return value as ExportedLink;
}
