/** Entries of an alert's timeline as sentences. */
import type { Item } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { actorText } from '../ui/actor-text.js';

export type AlertEntry = Item<'getAlertTimeline'>;

const said = texts.alerts.story;
const words: Record<string, string> = texts.ui.severity;
const reasons: Record<string, string> = texts.alerts.reasons;

export function alertStory(
  { type, actor, changes }: Pick<AlertEntry, 'type' | 'actor' | 'changes'>,
  memberOf: (id: string) => string,
): string {
  const who = actorText(actor);
  const change = (field: string) => changes.find((each) => each.field === field);
  switch (type) {
    case 'alert.created':
      return said.created(wordOf(change('severity')?.after), who);
    case 'alert.occurred':
      return said.occurred;
    case 'alert.acknowledged':
      return said.acknowledged(who);
    case 'alert.resolved': {
      const reason = String(change('resolveReason')?.after ?? '');
      return said.resolved(who, reason === 'api' ? '' : (reasons[reason] ?? ''));
    }
    case 'alert.suppressed':
      return said.suppressed;
    case 'alert.resumed':
      return change('suppression') === undefined ? said.firesAgain(who) : said.resumed;
    case 'alert.severityChanged':
      return said.severityChanged(wordOf(change('severity')?.before), wordOf(change('severity')?.after));
    case 'alert.suppressionChanged':
      return said.suppressionChanged;
    case 'alert.addedToIncident':
      return said.addedToIncident(who);
    case 'alert.assigned': {
      const assignee = change('assigneeId')?.after;
      return typeof assignee === 'string' ? said.assigned(who, memberOf(assignee)) : said.unassigned(who);
    }
    case 'alert.labelsChanged':
      return said.labelsChanged(who, labelsText(change('labels')));
    case 'alert.noted':
      return said.noted(who);
  }
}

const wordOf = (severity: unknown): string => (words[String(severity)] ?? String(severity ?? '')).toLowerCase();

/** `region: eu → us, team: sre`; what was removed has a minus. */
function labelsText(change: { before?: unknown; after?: unknown } | undefined): string {
  const before = (change?.before ?? {}) as Record<string, string>;
  const after = (change?.after ?? {}) as Record<string, string>;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  return names
    .flatMap((name) => {
      if (before[name] === after[name]) return [];
      if (after[name] === undefined) return [`−${name}`];
      return [before[name] === undefined ? `${name}: ${after[name]}` : `${name}: ${before[name]} → ${after[name]}`];
    })
    .join(', ');
}

export function toneOf({ type, actor }: Pick<AlertEntry, 'type' | 'actor'>): 'alarm' | 'done' | 'person' | 'quiet' {
  if (type === 'alert.created') return 'alarm';
  if (type === 'alert.resolved') return 'done';
  return actor.type === 'user' || actor.type === 'api_key' ? 'person' : 'quiet';
}
