/** The result of a mapping: an event, and where each of its fields comes from. */
import type { AlertEdit } from '../alerts/alert-edit.js';
import type { AlertStatus } from '../alerts/alert-status.js';
import type { Severity } from '../alerts/severity.js';

export interface MappedEvent {
  title: string;
  /** Null only when the status is resolved, and for an edit: they need no severity. */
  severity: Severity | null;
  status: AlertStatus;
  source: string | null;
  description: string | null;
  fingerprint: string;
  fingerprintSource: 'explicit' | 'generated';
  /** Inherits nothing, so every key comes from the sender or the settings. */
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** When the problem began, by the sender. Missing when the sender reports no time, or one that is not plausible. */
  occurredAt?: string;
  /** The sender reported no severity: `severity` is a default, and an open alert keeps its own. */
  severityIsDefault?: true;
  /** The event changes an open alert, but opens none. */
  opensNone?: true;
  /** The event concerns this alert only (a UUID), not a later one with its fingerprint. */
  alertId?: string;
  /** The event changes only these parts of an open alert. Its title and its labels have no meaning. */
  edit?: AlertEdit;
}

export interface MappingWarning {
  path: string;
  message: string;
}

/** Where the value of a field comes from. */
export interface Origin {
  /**
   * An entry of `fieldMappings`, the payload's own field, a default, `staticLabels`, or generated from title and
   * source.
   */
  from: 'mapping' | 'standard' | 'default' | 'static' | 'generated';
  /** Index in `fieldMappings`. */
  entry?: number;
  path?: string;
  template?: string;
  /** The value before a word was translated or a group was extracted. */
  raw?: string;
  /** What translated the word for a severity or status. */
  via?: 'severityMap' | 'statusMap' | 'knownWords';
}

/** By field (`title`) or entry (`labels.host`). */
export type Provenance = Record<string, Origin>;
