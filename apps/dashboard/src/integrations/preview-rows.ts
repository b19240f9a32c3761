/** A preview as rows: each field of the event, its value, and where that comes from. */
export interface Origin {
  from: 'mapping' | 'standard' | 'default' | 'static' | 'generated';
  entry?: number;
  path?: string;
  template?: string;
  raw?: string;
  via?: string;
}

export interface PreviewRow {
  field: string;
  value: string;
  origin: Origin | null;
}

const shown = ['title', 'severity', 'status', 'source', 'description', 'fingerprint', 'occurredAt'] as const;

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

export function rowsOfPreview(event: unknown, provenance: unknown): PreviewRow[] {
  const values = isObject(event) ? event : {};
  const origins = isObject(provenance) ? provenance : {};
  const originOf = (field: string): Origin | null => {
    const origin = origins[field] ?? origins[`${field.split('.', 1)[0]}.*`];
    return isObject(origin) && typeof origin['from'] === 'string' ? (origin as unknown as Origin) : null;
  };
  const row = (field: string, value: unknown): PreviewRow[] =>
    value === undefined || value === null ? [] : [{ field, value: textOf(value), origin: originOf(field) }];
  const bag = (name: string): PreviewRow[] =>
    Object.entries(isObject(values[name]) ? values[name] : {}).flatMap(([key, value]) => row(`${name}.${key}`, value));
  return [...shown.flatMap((field) => row(field, values[field])), ...bag('labels'), ...bag('annotations')];
}

/** The payload of a request as a preview takes it: JSON, or the fields of a form. Undefined: it is neither. */
export function payloadOf(text: string, contentType: string | null): unknown {
  if (contentType?.startsWith('application/x-www-form-urlencoded'))
    return Object.fromEntries(new URLSearchParams(text));
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
