/** Changes of an open alert by its sender, other than a report about its state. */
import type { Severity } from './severity.js';
import { eventLimits } from './event-limits.js';
import { cutToBytes } from '../text/text-limits.js';

export interface AlertEdit {
  title?: string;
  description?: string;
  severity?: Severity;
  /** For the timeline. */
  note?: string;
  setLabels?: Record<string, string>;
  removeLabels?: string[];
  /** Words of the label `tags`. */
  addTags?: string[];
  removeTags?: string[];
  /** Ends an acknowledgement of the sender itself, not that of a person. */
  unacknowledge?: true;
  /** The e-mail address of the member that the alert is assigned to. */
  assignee?: string;
  /** The note is for every open alert of the integration, whatever their fingerprints. */
  toAllOpen?: true;
}

/** The label for tags that are words. They keep their order. */
export const tagsLabel = 'tags';

export const tagsOf = (labels: Record<string, string>): string[] =>
  (labels[tagsLabel] ?? '').split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]));

/** The labels with the tags of the edit; a label without a tag is removed. */
export function withTags(labels: Record<string, string>, edit: AlertEdit): Record<string, string> {
  if (edit.addTags === undefined && edit.removeTags === undefined) return labels;
  const { [tagsLabel]: _tags, ...others } = labels;
  const tags = [...new Set([...tagsOf(labels), ...(edit.addTags ?? [])])];
  const kept = tags.filter((tag) => !edit.removeTags?.includes(tag));
  if (kept.length === 0 || Object.keys(others).length >= eventLimits.labels) return others;
  return { ...others, [tagsLabel]: cutToBytes(kept.join(', '), eventLimits.labelBytes) };
}
