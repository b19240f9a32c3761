/** An event of `GET /api/v1/stream`. */
export interface LiveEvent {
  /** `alert.acknowledged`. */
  type: string;
  occurredAt: string;
  resource: { type: string; id: string };
  /** The names of the fields that changed. Those that `fields` does not have must be fetched. */
  changed: string[];
  /** Fields of the record after the change, in the form of the API. */
  fields: Record<string, unknown>;
}

/** Null for what is about the connection, and for what a later version of the service may send. */
export function liveEventOf(data: string): LiveEvent | null {
  const event = JSON.parse(data) as Partial<LiveEvent>;
  const { resource, changed, fields } = event;
  return resource !== undefined && Array.isArray(changed) && fields !== undefined ? (event as LiveEvent) : null;
}

interface Row {
  id?: string;
  version?: number;
}

/**
 * The record after the event; the same object when the event says nothing new about it. Events may come late, after the
 * record was read: `version` tells.
 */
export function patched<Record extends Row>(record: Record, { resource, fields }: LiveEvent): Record {
  if (record.id !== resource.id) return record;
  const version = typeof fields['version'] === 'number' ? fields['version'] : undefined;
  if (version !== undefined && record.version !== undefined && record.version >= version) return record;
  return { ...record, ...fields };
}

/** Whether the event changed something that it does not contain. */
export const isPartial = ({ changed, fields }: LiveEvent): boolean => changed.some((name) => !(name in fields));

/** Filters that name one field of a record, by the names of both. */
const fieldOfFilter: Record<string, string> = {
  status: 'status',
  severity: 'severity',
  urgency: 'urgency',
  source: 'source',
  clientId: 'clientId',
  integrationId: 'integrationId',
  incidentId: 'incidentId',
  assigneeId: 'assigneeId',
  teamId: 'teamId',
};

/**
 * Whether a new record may belong to a list with these filters. Only what the event contains is compared, so the answer
 * is yes when it is not known.
 */
export function mayBelong(query: Record<string, unknown>, fields: Record<string, unknown>): boolean {
  return Object.entries(query).every(([filter, wanted]) => {
    const field = fieldOfFilter[filter];
    if (field === undefined || !(field in fields) || !Array.isArray(wanted) || wanted.length === 0) return true;
    const value = fields[field] === null ? '' : String(fields[field]);
    const words = wanted.map(String);
    return words.every((word) => word.startsWith('!')) ? !words.includes(`!${value}`) : words.includes(value);
  });
}
