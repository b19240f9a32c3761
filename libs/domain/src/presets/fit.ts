/**
 * Makes what is sent to an imitated paging service fit into an event of ours. PagerDuty and Opsgenie take more details
 * than we keep, and their clients do not expect that an alert is refused for them: what is too long is cut, what is too
 * much is left out, and a warning says so. On our own webhook nothing is cut (event-limits.ts).
 */
import { eventLimits } from '../alerts/event-limits.js';
import type { MappingWarning } from '../mapping/mapped-event.js';
import { parsePath, replaceAt, type Path } from '../mapping/path.js';
import { exceedsBytes, exceedsCharacters, isBlank } from '../text/text-limits.js';
import { storable } from '../text/storable-text.js';
import { textOf } from '../mapping/value-text.js';

/** The presets of which the sender's whole API is imitated, not its payload only. */
export type DropInType = 'pagerduty_events_v2' | 'opsgenie';

/** The text where it fits, otherwise its beginning with an ellipsis at the end. */
type Cut = (text: string) => string;

const toCharacters =
  (limit: number): Cut =>
  (text) =>
    exceedsCharacters(text, limit) ? `${[...text.slice(0, 2 * limit)].slice(0, limit - 1).join('')}…` : text;

const ellipsisBytes = 3;

/** Measured as it will be stored, since what replaces a character that cannot be stored may be longer. */
const toBytes =
  (limit: number): Cut =>
  (text) => {
    const clean = storable(text);
    if (!exceedsBytes(clean, limit)) return text;
    const beginning = Buffer.from(clean.slice(0, limit)).subarray(0, limit - ellipsisBytes);
    // A character of which only a part is left reads as U+FFFD.
    return `${beginning.toString().replace(/\uFFFD$/, '')}…`;
  };

const toTitle = toCharacters(eventLimits.title);
const toSource = toCharacters(eventLimits.source);
const toDescription = toBytes(eventLimits.descriptionBytes);
const toValue = toBytes(eventLimits.valueBytes);
const toKey = toCharacters(eventLimits.key);

interface Form {
  texts: readonly (readonly [path: Path, cut: Cut])[];
  /** Half an address leads nowhere: one that is too long is left out. */
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
    {
      'payload.summary': toTitle,
      'payload.source': toSource,
      'payload.component': toValue,
      'payload.group': toValue,
      'payload.class': toValue,
    },
    ['client_url', 'links.0.href', 'links.1.href', 'links.2.href', 'images.0.src', 'images.1.src'],
    'payload.custom_details',
  ),
  opsgenie: form(
    { message: toTitle, description: toDescription, source: toSource, entity: toValue, note: toValue, user: toValue },
    [],
    'details',
  ),
};

/** Labels that the presets make of other fields than the details. */
const ownLabels = 4;

/**
 * The payload with nothing in it that is over our limits, and what was done to it. `staticLabels` is how many labels the
 * integration puts on every alert: details take the places that are left. Never throws; shares what it did not change.
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
      if (cutValue(path.text, value, toValue, []) === value) return value;
      warnings.push({ path: path.text, message: `is too long (over ${eventLimits.valueBytes} bytes): left out` });
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

/** A text or a list is kept as one entry. Values that fit stay as they are, so that mappings reach into them. */
function fitDetails(path: string, value: unknown, room: number, warnings: MappingWarning[]): unknown {
  if (value === null) return null;
  if (!isEntries(value)) return fitDetails(path, { details: value }, room, warnings);
  const entries = Object.entries(value);
  const fitted = Object.create(null) as Record<string, unknown>;
  for (const [key, entry] of entries.slice(0, room))
    fitted[toKey(key)] = cutValue(`${path}.${toKey(key)}`, entry, toValue, warnings);
  if (entries.length > room)
    warnings.push({
      path,
      message: `${entries.length - room} of ${entries.length} entries are left out: an alert has at most ${eventLimits.labels} labels`,
    });
  return fitted;
}

/**
 * Opsgenie's tags are words, and by convention some are pairs (`env:prod`): these become entries of the details, the words
 * one entry together. They go before the details, so that these win where both have a key.
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
