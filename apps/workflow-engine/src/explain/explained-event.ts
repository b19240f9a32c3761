/** What explanations and simulations show of an event: where its fields came from, and its fingerprint. */
import type { DedupScope } from '@ams/contracts';
import { originsOf, type FieldSources, type MappedEvent, type Provenance } from '@ams/domain';

/** Null for an event of a release that did not record sources. */
export const mappingOf = (event: MappedEvent, sources: FieldSources | undefined): Provenance | null =>
  sources === undefined ? null : originsOf(event, sources);

export interface ExplainedFingerprint {
  value: string;
  source: 'explicit' | 'generated';
  /** The values of the payload from which it was made, by their paths. */
  inputs: Record<string, string | null>;
  /** The alerts among which an open one is searched. */
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
