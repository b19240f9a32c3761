/** What a mapping gives: an event in our words, and where each of its fields came from. */
import type { AlertStatus } from '../alerts/alert-status.js';
import type { Severity } from '../alerts/severity.js';

export interface MappedEvent {
  title: string;
  /** Null only when the status is resolved: a recovery need not say how bad it was. */
  severity: Severity | null;
  status: AlertStatus;
  source: string | null;
  description: string | null;
  fingerprint: string;
  fingerprintSource: 'explicit' | 'generated';
  /** Without a prototype: a key is there only if the sender or the settings put it there. */
  labels: Record<string, string>;
  annotations: Record<string, string>;
}

export interface MappingWarning {
  path: string;
  message: string;
}

/** Where the value of a field came from. */
export interface Origin {
  /** An entry of `fieldMappings`, the payload's own field, a default, `staticLabels`, or made from title and source. */
  from: 'mapping' | 'standard' | 'default' | 'static' | 'generated';
  /** Index in `fieldMappings`. */
  entry?: number;
  path?: string;
  template?: string;
  /** What was there before a word was translated or a group extracted. */
  raw?: string;
  /** What translated the word of a severity or a status. */
  via?: 'severityMap' | 'statusMap' | 'knownWords';
}

/** By field (`title`) or entry (`labels.host`). */
export type Provenance = Record<string, Origin>;
