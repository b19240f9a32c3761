/** The fields of an event that are not plain texts: title, status, severity and the identity. */
import { alertStatuses, wellKnownStatuses, type AlertStatus } from '../alerts/alert-status.js';
import { meansNoProblem, severities, type Severity } from '../alerts/severity.js';
import { defaultMark, wordMark, wordOf } from './field-sources.js';
import { wordKey } from './mapping-settings.js';
import { senderInstant } from '../time/instant.js';
import {
  addFault,
  addWarning,
  cleanText,
  isDefault,
  keepMark,
  mapText,
  markOf,
  origin,
  read,
  shown,
  type MappingRun,
} from './read-value.js';

/** Not cut, because the fingerprint may be generated from it. */
export function mapTitle(run: MappingRun): string | null {
  const faultsBefore = run.faults.length;
  const title = mapText(run, 'title', run.mapper.title)?.trim() ?? null;
  if (title === null && run.faults.length === faultsBefore) addFault(run, 'title', 'required', 'title is required');
  return title;
}

/** Firing when the sender reports no status; null, with an error, when the status is unknown. */
export function mapStatus(run: MappingRun): AlertStatus | null {
  const { statusMap, status: readers } = run.mapper;
  const faultsBefore = run.faults.length;
  const word = mapText(run, 'status', readers);
  if (word === null) {
    if (run.faults.length > faultsBefore) return null;
    if (readers[0]!.from === 'mapping') addWarning(run, 'status', 'not found in the payload: firing is used');
    if (run.provenance !== null) run.provenance.status = { from: 'default' };
    if (run.sources !== null) run.sources.status = defaultMark();
    return 'firing';
  }
  const key = wordKey(word);
  const mapped = statusMap?.get(key);
  const status = mapped ?? wellKnownStatuses.get(key);
  if (status === undefined) {
    addFault(
      run,
      'status',
      'enum',
      `status ${shown(word)} is unknown: it must be one of ${alertStatuses.join(', ')}, or be in the statusMap`,
    );
    return null;
  }
  if (run.provenance !== null) run.provenance.status!.via = mapped === undefined ? 'knownWords' : 'statusMap';
  if (run.sources !== null && word !== status)
    run.sources[wordOf('status')] = wordMark(mapped === undefined ? 'known' : 'map', word);
  return status;
}

/** Null with an error when the severity is missing or unknown; null without an error for a resolving event. */
export function mapSeverity(run: MappingRun, status: AlertStatus | null): Severity | null {
  const { severityMap, severityWords, defaultSeverity, severity: readers } = run.mapper;
  const value = read(run, readers);
  const word = value === undefined ? undefined : cleanText(run, value);
  const key = word === undefined ? '' : wordKey(word);
  const mapped = severityMap?.get(key);
  const severity = mapped ?? severityWords.get(key);
  const resolved = status === 'resolved';
  if (severity !== undefined && !(resolved && mapped === undefined && meansNoProblem(key))) {
    if (isDefault(run)) run.severityIsDefault = true;
    if (run.provenance !== null)
      run.provenance.severity = origin(run, value, mapped === undefined ? 'knownWords' : 'severityMap');
    if (run.sources !== null) {
      keepMark(run.sources, 'severity', markOf(run));
      if (word !== severity) run.sources[wordOf('severity')] = wordMark(mapped === undefined ? 'known' : 'map', word!);
    }
    return severity;
  }
  const missing = value === undefined;
  const problem = word === undefined ? 'is not text' : `${shown(word)} is unknown`;
  if (resolved) {
    if (!missing && severity === undefined) addWarning(run, 'severity', `${problem}: left out`);
    return null;
  }
  if (defaultSeverity !== null) {
    addWarning(run, 'severity', `${missing ? 'not found in the payload' : problem}: ${defaultSeverity} is used`);
    if (run.provenance !== null)
      run.provenance.severity = missing ? { from: 'default' } : { ...origin(run, value), from: 'default' };
    if (run.sources !== null) {
      run.sources.severity = defaultMark();
      if (word !== undefined) run.sources[wordOf('severity')] = wordMark('unknown', word);
    }
    if (missing) run.severityIsDefault = true;
    return defaultSeverity;
  }
  if (missing) addFault(run, 'severity', 'required', `severity is required: one of ${severities.join(', ')}`);
  else addFault(run, 'severity', 'enum', `severity ${problem}: it must be one of ${severities.join(', ')}`);
  return null;
}

/** When the problem began, by the sender's clock; undefined when it does not say, or in an unknown form. */
export function mapOccurredAt(run: MappingRun): string | undefined {
  const value = read(run, run.mapper.occurredAt);
  const text = value === undefined ? undefined : cleanText(run, value);
  const instant = text === undefined ? NaN : senderInstant(text);
  if (Number.isNaN(instant)) return undefined;
  if (run.provenance !== null) run.provenance.occurredAt = origin(run, value);
  return new Date(instant).toISOString();
}

/** The sender's own key, or null. When `fingerprint` and `dedup_key` differ, the first one is used. */
export function mapIdentity(run: MappingRun): string | null {
  let identity: string | null = null;
  for (const { field, readers } of run.mapper.identity) {
    const key = mapText(run, field, readers);
    if (key === null) continue;
    if (identity !== null) {
      if (key !== identity) addWarning(run, field, 'fingerprint and dedup_key differ: the fingerprint is used');
      continue;
    }
    identity = key;
    if (run.provenance !== null) run.provenance.fingerprint = run.provenance[field]!;
    if (run.sources !== null) keepMark(run.sources, 'fingerprint', markOf(run));
  }
  return identity;
}
