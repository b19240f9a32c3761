/**
 * Requests to the drop-in APIs that change an open alert and do not report its state: notes, tags, details, assignments
 * and unacknowledge of Opsgenie, and the change events of PagerDuty. The gateway adds the values in path and query to
 * the body, so that a replay of the stored request has the same result.
 */
import type { AlertEdit } from '../alerts/alert-edit.js';
import { eventLimits } from '../alerts/event-limits.js';
import type { Severity } from '../alerts/severity.js';
import { wordKey, type MappingFault } from '../mapping/mapping-settings.js';
import { textOf } from '../mapping/value-text.js';
import { storable } from '../text/storable-text.js';
import { cutToBytes, cutToCharacters, isBlank } from '../text/text-limits.js';

type Body = Record<string, unknown>;

/** The same limit as for a note of a user. */
const noteLimit = 4_096;

/** The values of `action`. */
export const opsgenieEdits = [
  'addNote',
  'addTags',
  'removeTags',
  'addDetails',
  'removeDetails',
  'assign',
  'unacknowledge',
  'update',
] as const;
export type OpsgenieEdit = (typeof opsgenieEdits)[number];

export const isOpsgenieEdit = (action: unknown): action is OpsgenieEdit =>
  (opsgenieEdits as readonly unknown[]).includes(action);

/** The edit of a request, or its faults. Any edit may have a note. */
export function opsgenieEdit(
  action: OpsgenieEdit,
  body: Body,
  severityOf: (priority: string) => Severity | undefined,
): AlertEdit | MappingFault[] {
  const edit: AlertEdit = {};
  const note = textIn(body['note']);
  const user = textIn(body['user']);
  if (note !== null) edit.note = noteOf(user === null ? note : `${user}: ${note}`);
  const fault = (path: string, message: string): MappingFault[] => [{ path, rule: 'required', message }];
  switch (action) {
    case 'addNote':
      return note === null ? fault('note', 'note must have a text') : edit;
    case 'unacknowledge':
      return { ...edit, unacknowledge: true };
    case 'update':
      return updateOf(body, severityOf) ?? fault('message', 'message, description or priority must have a text');
    case 'addTags':
    case 'removeTags': {
      const tags = textsIn(body['tags']);
      return tags.length === 0 ? fault('tags', 'tags must be a list of texts') : { ...edit, ...tagsEdit(action, tags) };
    }
    case 'addDetails': {
      const entries = entriesIn(body['details']);
      return entries.length === 0
        ? fault('details', 'details must be an object of texts')
        : { ...edit, setLabels: Object.fromEntries(entries) };
    }
    case 'removeDetails': {
      const keys = textsIn(body['keys']).map(keyOf);
      return keys.length === 0 ? fault('keys', 'keys must name at least one detail') : { ...edit, removeLabels: keys };
    }
    case 'assign': {
      const username = textIn((body['owner'] as Body | null | undefined)?.['username']);
      return username === null
        ? fault('owner', 'owner must have the username of a member: the e-mail address')
        : { ...edit, assignee: cutToCharacters(username, eventLimits.key) };
    }
  }
}

/** Null when the body has none of the fields. An unknown priority is none. */
function updateOf(body: Body, severityOf: (priority: string) => Severity | undefined): AlertEdit | null {
  const [title, description] = [textIn(body['message']), textIn(body['description'])];
  const priority = textIn(body['priority']);
  const severity = priority === null ? undefined : severityOf(wordKey(priority));
  if (title === null && description === null && severity === undefined) return null;
  return {
    ...(title !== null && { title: cutToCharacters(title, eventLimits.title) }),
    ...(description !== null && { description: cutToBytes(description, eventLimits.descriptionBytes) }),
    ...(severity !== undefined && { severity }),
  };
}

/** A tag with a colon is a label of its own, as in a create request. */
function tagsEdit(action: 'addTags' | 'removeTags', tags: string[]): AlertEdit {
  const words = tags.filter((tag) => tag.indexOf(':') < 1);
  const pairs = tags.filter((tag) => tag.indexOf(':') > 0);
  const keyIn = (pair: string): string => keyOf(pair.slice(0, pair.indexOf(':')));
  if (action === 'removeTags') return { removeTags: words, removeLabels: pairs.map(keyIn) };
  const labels = pairs.map((pair) => [keyIn(pair), labelOf(pair.slice(pair.indexOf(':') + 1).trim())]);
  return { addTags: words, setLabels: Object.fromEntries(labels) as Record<string, string> };
}

const noteOf = (text: string): string => cutToCharacters(storable(text), noteLimit);
const keyOf = (key: string): string => cutToCharacters(storable(key), eventLimits.key);
const labelOf = (text: string): string => cutToBytes(storable(text), eventLimits.labelBytes);

const textIn = (value: unknown): string | null =>
  typeof value === 'string' && !isBlank(value) ? storable(value.trim()) : null;

/** A list of texts, or texts that are separated by commas. */
function textsIn(value: unknown): string[] {
  const list: unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : [];
  return list.flatMap((text) => textIn(text) ?? []).slice(0, eventLimits.labels);
}

function entriesIn(value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value)
    .filter(([key]) => !isBlank(key) && key !== '__proto__')
    .slice(0, eventLimits.labels)
    .flatMap(([key, entry]) => {
      const text = textOf(entry, { left: Infinity });
      return text === undefined ? [] : [[keyOf(key), labelOf(text)]];
    });
}

/** The summary of a change event of PagerDuty, with its source and links, as a note; null without a summary. */
export function changeNote({ payload, links }: Body): string | null {
  const { summary, source } = typeof payload === 'object' && payload !== null ? (payload as Body) : {};
  const text = textIn(summary);
  if (text === null) return null;
  const from = textIn(source);
  const hrefs = (Array.isArray(links) ? (links as unknown[]) : []).flatMap(
    (link) => textIn((link as Body | null)?.['href']) ?? [],
  );
  return noteOf([`Change: ${text}`, ...(from === null ? [] : [`Source: ${from}`]), ...hrefs.slice(0, 10)].join('\n'));
}
