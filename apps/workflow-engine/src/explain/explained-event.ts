/** Of an event, what an explanation and a simulation say in the same words: where its fields came from, and its fingerprint. */
import type { DedupScope } from '@ams/contracts';
import { originsOf, type FieldSources, type MappedEvent, type Provenance } from '@ams/domain';

/** Null for an event that came before sources were recorded. */
export const mappingOf = (event: MappedEvent, sources: FieldSources | undefined): Provenance | null =>
  sources === undefined ? null : originsOf(event, sources);

export interface ExplainedFingerprint {
  value: string;
  source: 'explicit' | 'generated';
  /** What it was made of, by path in the payload. */
  inputs: Record<string, string | null>;
  /** Among which alerts the open one is looked for. */
  scope: DedupScope;
}

export function fingerprintOf(
  event: MappedEvent,
  dedupScope: DedupScope,
  mapping: Provenance | null,
): ExplainedFingerprint {
  const { fingerprint: value, fingerprintSource: source, title } = event;
  const inputs =
    source === 'generated'
      ? { title, source: event.source }
      : { [mapping?.['fingerprint']?.path ?? 'fingerprint']: value };
  return { value, source, inputs, scope: dedupScope };
}
