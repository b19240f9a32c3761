/**
 * Fits requests to a drop-in API into the limits of an event, where the mapping would keep less of them: links that are
 * too long are left out, other labels keep their places beside the details, and warnings name the sender's own fields.
 * The mapping cuts everything else (event-limits.ts), after it has generated the fingerprint.
 */
import { eventLimits } from '../alerts/event-limits.js';
import type { MappingWarning } from '../mapping/mapped-event.js';
import { parsePath, replaceAt, type Path } from '../mapping/path.js';
import { cutToBytes, cutToCharacters, exceedsBytes, isBlank } from '../text/text-limits.js';
import { storable } from '../text/storable-text.js';
import { textOf } from '../mapping/value-text.js';

/** The presets with a drop-in API. */
export type DropInType = 'pagerduty_events_v2' | 'opsgenie';

type Cut = (text: string) => string;

/** Measured as it will be stored, because the replacement for an unstorable character may be longer. */
const toBytes =
  (limit: number): Cut =>
  (text) => {
    const clean = storable(text);
    return exceedsBytes(clean, limit) ? cutToBytes(clean, limit) : text;
  };

const toLabel = toBytes(eventLimits.labelBytes);
const toAnnotation = toBytes(eventLimits.annotationBytes);
const toKey: Cut = (text) => cutToCharacters(text, eventLimits.key);

interface Form {
  texts: readonly (readonly [path: Path, cut: Cut])[];
  /** A URL that is too long is left out, because a part of a URL is useless. */
  addresses: readonly Path[];
  details: Path;
}

const form = (texts: Record<string, Cut>, addresses: string[], details: string): Form => ({
  texts: Object.entries(texts).map(([text, cut]) => [pathOf(text), cut] as const),
  addresses: addresses.map(pathOf),
  details: pathOf(details),
});

const pathOf = (text: string): Path => parsePath(text) as Path;

const forms: Record<DropInType, Form> = {
  pagerduty_events_v2: form(
    { 'payload.component': toLabel, 'payload.group': toLabel, 'payload.class': toLabel },
    ['client_url', 'links.0.href', 'links.1.href', 'links.2.href', 'images.0.src', 'images.1.src'],
    'payload.custom_details',
  ),
  opsgenie: form({ entity: toLabel, note: toAnnotation, user: toAnnotation }, [], 'details'),
};

/** Labels that the presets create from fields other than the details. */
const ownLabels = 4;

/**
 * The payload reduced to our limits, and a list of what was changed. `staticLabels` is the number of static labels of
 * the integration; details get the remaining places. Never throws; shares unchanged parts.
 */
export function fitToLimits(
  type: DropInType,
  payload: unknown,
  staticLabels: number,
): { payload: unknown; warnings: MappingWarning[] } {
  const { texts, addresses, details } = forms[type];
  const warnings: MappingWarning[] = [];
  let fitted = type === 'opsgenie' ? tagsIntoDetails(payload) : payload;
  for (const [path, cut] of texts)
    fitted = replaceAt(path, fitted, (value) => cutValue(path.text, value, cut, warnings));
  for (const path of addresses) {
    fitted = replaceAt(path, fitted, (value) => {
      if (cutValue(path.text, value, toAnnotation, []) === value) return value;
      warnings.push({ path: path.text, message: `is too long (over ${eventLimits.annotationBytes} bytes): left out` });
      return null;
    });
  }
  const room = Math.max(0, eventLimits.labels - ownLabels - staticLabels);
  fitted = replaceAt(details, fitted, (value) => fitDetails(details.text, value, room, warnings));
  return { payload: fitted, warnings };
}

function cutValue(path: string, value: unknown, cut: Cut, warnings: MappingWarning[]): unknown {
  const text = textOf(value, { left: Infinity });
  if (text === undefined) return value;
  const short = cut(text);
  if (short === text) return value;
  warnings.push({ path, message: 'is too long: cut' });
  return short;
}

/** A text or list is kept as one entry. Values that fit stay unchanged, so that mappings can read inside them. */
function fitDetails(path: string, value: unknown, room: number, warnings: MappingWarning[]): unknown {
  if (value === null) return null;
  if (!isEntries(value)) return fitDetails(path, { details: value }, room, warnings);
  const entries = Object.entries(value);
  const fitted = Object.create(null) as Record<string, unknown>;
  for (const [key, entry] of entries.slice(0, room))
    fitted[toKey(key)] = cutValue(`${path}.${toKey(key)}`, entry, toLabel, warnings);
  if (entries.length > room)
    warnings.push({
      path,
      message:
        `${entries.length - room} of ${entries.length} entries are left out: an alert has at most ` +
        `${eventLimits.labels} labels`,
    });
  return fitted;
}

/**
 * Opsgenie's tags are words, some of which are pairs by convention (`env:prod`). The pairs become entries of the
 * details, the words together one entry. They come before the details, so that details with the same key replace them.
 */
function tagsIntoDetails(payload: unknown): unknown {
  if (typeof payload !== 'object' || payload === null) return payload;
  const { tags, details } = payload as { tags?: unknown; details?: unknown };
  if (!Array.isArray(tags)) return payload;
  const texts = tags.filter((tag): tag is string => typeof tag === 'string' && !isBlank(tag)).map((tag) => tag.trim());
  const words = texts.filter((tag) => tag.indexOf(':') < 1);
  const pairs = texts
    .filter((tag) => tag.indexOf(':') > 0)
    .map((tag) => [tag.slice(0, tag.indexOf(':')), tag.slice(tag.indexOf(':') + 1).trim()]);
  const own = isEntries(details) ? details : details === undefined || details === null ? {} : { details };
  return {
    ...payload,
    details: { ...(words.length > 0 && { tags: words.join(', ') }), ...Object.fromEntries(pairs), ...own },
  };
}

const isEntries = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
