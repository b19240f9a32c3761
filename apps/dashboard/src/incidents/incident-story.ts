/** Entries of an incident's timeline as sentences. */
import type { Item } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { actorText } from '../ui/actor-text.js';

export type IncidentEntry = Item<'getIncidentTimeline'>;
type Told = Pick<IncidentEntry, 'type' | 'actor' | 'changes'>;

const said = texts.incidents.story;
const words: Record<string, string> = texts.ui.severity;
const wordOf = (severity: unknown): string => (words[String(severity)] ?? String(severity ?? '')).toLowerCase();

export interface StoryWords {
  memberOf: (id: string) => string;
  timeOf: (at: string) => string;
}

/** One entry, in the order of importance of what changed. */
export function incidentStory({ type, actor, changes }: Told, { memberOf, timeOf }: StoryWords): string {
  const who = actorText(actor);
  const change = (field: string) => changes.find((each) => each.field === field);
  const until = change('snoozedUntil')?.after;
  switch (type) {
    case 'incident.created':
      return said.created(who, wordOf(change('severity')?.after));
    case 'incident.acknowledged':
      return typeof until === 'string' ? said.snoozed(who, timeOf(until)) : said.acknowledged(who);
    case 'incident.resolved':
      if (change('mergedInto')) return said.mergedAway(who);
      return actor.type === 'service' ? said.resolvedByAlerts : said.resolved(who);
    case 'incident.reopened':
      if (actor.type === 'service') return said.ackEnded;
      return goesOn(change('escalation')) ? said.escalated(who) : said.reopened(who);
    case 'incident.merged': {
      const ids = change('mergedIncidentIds')?.after;
      return said.merged(who, Array.isArray(ids) ? ids.length : 1);
    }
    case 'incident.escalated':
      return said.escalated(who);
    case 'incident.noted':
      return said.noted(who);
    case 'incident.paged':
      return pagedText(change('escalation'));
    case 'incident.alertAdded':
      return joinedText(change('alertCount'));
    case 'incident.updated':
      return updatedText(who, change, memberOf, timeOf);
  }
}

/** The escalation goes on where it was, because somebody asked for the next level. Otherwise a new episode begins. */
function goesOn(change: { before?: unknown; after?: unknown } | undefined): boolean {
  const before = (change?.before ?? {}) as Escalation;
  const after = (change?.after ?? {}) as Escalation;
  return after.state === 'escalating' && after.episode === before.episode;
}

interface Escalation {
  state?: string;
  episode?: number;
  level?: number;
}

function pagedText(change: { before?: unknown; after?: unknown } | undefined): string {
  const before = (change?.before ?? {}) as Escalation;
  const after = (change?.after ?? {}) as Escalation;
  if (after.level !== undefined && after.level > 0 && after.level !== before.level) return said.paged(after.level);
  return after.state === 'exhausted' ? said.exhausted : said.pagedSome;
}

function joinedText(change: { before?: unknown; after?: unknown } | undefined): string {
  const count = Number(change?.after ?? 0) - Number(change?.before ?? 0);
  return count > 0 ? said.alertsJoined(count) : said.alertsLeft;
}

function updatedText(
  who: string,
  change: (field: string) => { before?: unknown; after?: unknown } | undefined,
  memberOf: (id: string) => string,
  timeOf: (at: string) => string,
): string {
  const assignees = change('assigneeIds')?.after;
  if (Array.isArray(assignees)) {
    return assignees.length === 0
      ? said.unassigned(who)
      : said.assigned(who, assignees.map((id) => memberOf(String(id))).join(', '));
  }
  const severity = change('severity');
  if (severity) return said.severity(who, wordOf(severity.before), wordOf(severity.after));
  const title = change('title')?.after;
  if (typeof title === 'string') return said.renamed(who, title);
  if (change('summary')) return said.summary(who);
  const snooze = change('snoozedUntil');
  if (snooze) return typeof snooze.after === 'string' ? said.snoozed(who, timeOf(snooze.after)) : said.unsnoozed(who);
  if (change('alertCount')) return joinedText(change('alertCount'));
  const open = change('openAlertCount');
  if (open) return said.alertsOpen(Number(open.after));
  return change('escalation') ? said.escalation : said.changed(who);
}

export function toneOf({ type, actor }: Pick<IncidentEntry, 'type' | 'actor'>): 'alarm' | 'done' | 'person' | 'quiet' {
  if (type === 'incident.created' || type === 'incident.reopened' || type === 'incident.paged') return 'alarm';
  if (type === 'incident.escalated') return 'alarm';
  if (type === 'incident.resolved') return 'done';
  return actor.type === 'user' || actor.type === 'api_key' ? 'person' : 'quiet';
}
