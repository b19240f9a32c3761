/**
 * From the text of a body to the payload in it, by its content type: as the ingest gateway reads what senders post, and as
 * a replay reads it again.
 */
import { Fault } from '../fault.js';

export type Media = 'json' | 'form';

const medias = new Map<string, Media | null>();

/** How to read a body of this content type; `null` is not at all. */
export function mediaOf(contentType: string | undefined): Media | null {
  if (contentType === undefined) return 'json';
  const known = medias.get(contentType);
  if (known !== undefined) return known;
  const media = parseMedia(contentType);
  if (medias.size >= 200) medias.clear();
  medias.set(contentType, media);
  return media;
}

function parseMedia(contentType: string): Media | null {
  const [type = '', ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  for (const parameter of parameters) {
    const charset = /^charset\s*=\s*"?([^"]*)"?$/.exec(parameter)?.[1];
    if (charset !== undefined && !['utf-8', 'utf8', 'us-ascii', 'ascii'].includes(charset.trim())) return null;
  }
  if (
    type === '' ||
    type === 'application/json' ||
    type === 'text/plain' ||
    type === 'text/json' ||
    /^[a-z]+\/[^/]+\+json$/.test(type)
  )
    return 'json';
  return type === 'application/x-www-form-urlencoded' ? 'form' : null;
}

const maxFormFields = 1000;

/** The payload in a text; `whenEmpty` stands in for a text with nothing in it. Throws Faults. */
export function parsePayload(text: string, media: Media, whenEmpty?: unknown): unknown {
  if (whenEmpty !== undefined && text.trim() === '') return whenEmpty;
  // `curl -d '{…}'` says form and sends JSON.
  if (media === 'form' && !/^\s*[{[]/.test(text)) return parseForm(text);
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Fault('INVALID_JSON', null);
  }
}

/** An object of the fields, without a prototype; a field that comes several times is a list. */
function parseForm(text: string): Record<string, string | string[]> {
  let separators = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (++separators >= maxFormFields) {
      throw new Fault('VALIDATION_ERROR', {
        fields: [{ path: '', rule: 'maxItems', message: `A form has at most ${maxFormFields} fields.` }],
      });
    }
  }
  const fields = Object.create(null) as Record<string, string | string[]>;
  for (const [name, value] of new URLSearchParams(text)) {
    const present = fields[name];
    if (present === undefined) fields[name] = value;
    else if (typeof present === 'string') fields[name] = [present, value];
    else present.push(value);
  }
  return fields;
}
