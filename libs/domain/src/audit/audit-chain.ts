/**
 * The hash chain of the audit log. Each entry of an organization and environment has a sequence from 1, and a hash over
 * its content and the hash before it. A checkpoint is a signed statement on the hash of one sequence, and so on all
 * entries up to it. What is changed, removed, exchanged or added before a checkpoint makes the chain wrong.
 *
 * All hashes are SHA-256 in lower-case hex. The content of an entry is the canonical form of its JSON (`canonicalJson`),
 * so an export can be checked without the database, by other programs too.
 */
import { createHash } from 'node:crypto';
import { canonicalJson } from './canonical-json.js';

/** An entry as the chain has it. Fields that are added later must be left out when they have no value. */
export interface ChainedEntry {
  /** A public id, which contains the time of the entry. */
  id: string;
}

export interface ChainLink {
  sequence: number;
  entryId: string;
  entryHash: string;
  hash: string;
}

/** The end of a chain: the sequence and hash of its last entry. */
export type ChainEnd = Pick<ChainLink, 'sequence' | 'hash'>;

export const emptyChain: ChainEnd = { sequence: 0, hash: '0'.repeat(64) };

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

export const entryHashOf = (entry: object): string => sha256(canonicalJson(entry));

/** The hash of a link: over four lines, the hash before it, its sequence, the id and the hash of its entry. */
export const linkHashOf = (previous: string, { sequence, entryId, entryHash }: Omit<ChainLink, 'hash'>): string =>
  sha256([previous, sequence, entryId, entryHash].join('\n'));

/** The links of further entries, in their order. */
export function linksAfter(end: ChainEnd, entries: readonly ChainedEntry[]): ChainLink[] {
  const links: ChainLink[] = [];
  let { sequence, hash } = end;
  for (const entry of entries) {
    const unsigned = { sequence: ++sequence, entryId: entry.id, entryHash: entryHashOf(entry) };
    hash = linkHashOf(hash, unsigned);
    links.push({ ...unsigned, hash });
  }
  return links;
}
