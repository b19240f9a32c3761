/**
 * Parses the text of a body by its content type. The ingest gateway uses it for posted bodies, and a replay for stored
 * ones.
 */
import { parseJson } from '@ams/domain';
import { Fault } from '../fault.js';

export type Media = 'json' | 'form';

const medias = new Map<string, Media | null>();

/** The format for this content type; `null` when it is not supported. */
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

/** The payload in a text; `whenEmpty` is the payload of an empty text. Throws Faults. */
export function parsePayload(text: string, media: Media, whenEmpty?: unknown): unknown {
  if (whenEmpty !== undefined && text.trim() === '') return whenEmpty;
  // `curl -d '{…}'` sends JSON with the content type of a form.
  if (media === 'form' && !/^\s*[{[]/.test(text)) return parseForm(text);
  try {
    return parseJson(text);
  } catch {
    throw new Fault('INVALID_JSON', null);
  }
}

/** An object of the fields, without a prototype; a repeated field becomes a list. */
function parseForm(text: string): Record<string, string | string[]> {
  let separators = 0;
  for (let at = text.indexOf('&'); at !== -1; at = text.indexOf('&', at + 1)) {
    if (++separators >= maxFormFields) {
      throw new Fault('VALIDATION_ERROR', {
        fields: [{ path: '', rule: 'maxItems', message: `A form may have at most ${maxFormFields} fields.` }],
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
