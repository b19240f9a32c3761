/**
 * Lines of the audit log as messages of syslog (RFC 5424), framed by octet counting (RFC 6587, RFC 5425). The text is JSON in
 * ASCII, so it needs no byte order mark and has one line. Structured data are not used: their names need a number that
 * IANA assigns to the operator.
 */

/** The facility "log audit", and two of its severities. */
const facility = 13;
const [warning, informational] = [4, 6];

export interface SyslogLine {
  organizationId: string;
  environment: string;
  sequence: number;
  entryId: string;
  entryHash: string;
  hash: string;
  /** Null: it was deleted because of its age. */
  entry: { id: string; type: string; occurredAt: string; changes: { field: string }[] } | null;
  /** Whether the values of the changes are left out already. */
  isCut: boolean;
}

/** RFC 5424: printable ASCII without spaces, of a limited length; `-` without a value. */
const header = (text: string, length: number): string => text.replace(/[^\x21-\x7e]/g, '').slice(0, length) || '-';

/** JSON escapes characters below U+0020 itself. */
const asciiJson = (value: unknown): string =>
  JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/**
 * The framed message. One that is longer than `maxBytes` loses the values of the changes, then everything of the entry but
 * its id, type and time. `truncated` says so: the hash is that of the whole entry, which the export has.
 */
export function syslogFrame(line: SyslogLine, host: string, maxBytes: number): string {
  const message = [line.isCut, true, 'most'].map((cut) => messageOf(line, host, cut as boolean | 'most'));
  const fitting = message.find((text) => text.length <= maxBytes) ?? (message.at(-1) as string);
  return `${fitting.length} ${fitting}`;
}

function messageOf({ isCut: _isCut, entry, ...line }: SyslogLine, host: string, cut: boolean | 'most'): string {
  const type = entry?.type ?? 'audit_entry.expired';
  const severity = /(?:refused|failed|regressed)$/.test(type) ? warning : informational;
  const at = entry ? new Date(entry.occurredAt).toISOString() : '-';
  return [
    `<${facility * 8 + (severity as number)}>1`,
    at,
    header(host, 255),
    'ams',
    '-',
    header(type, 32),
    '-',
    asciiJson({ ...line, entry: entry && shown(entry, cut), ...(cut !== false && { truncated: true }) }),
  ].join(' ');
}

function shown(entry: NonNullable<SyslogLine['entry']>, cut: boolean | 'most'): object {
  const { id, type, occurredAt, changes } = entry;
  if (cut === 'most') return { id, type: type.slice(0, 100), occurredAt };
  return cut ? { ...entry, changes: changes.map(({ field }) => ({ field })) } : entry;
}
