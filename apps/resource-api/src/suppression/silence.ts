/** The window that silences one alert. */
import type { Alert } from '@ams/contracts';
import { validatePredicate, type Predicate } from '@ams/domain';
import type { WindowSettings } from './window-record.js';

/** A window has at most 20 matchers. */
const longestList = 18;
const longestTitle = 150;

/** Alerts of the same integration with this fingerprint and these labels. */
export function silenceOf({
  title,
  fingerprint,
  labels,
  integrationId,
}: Alert): Pick<WindowSettings, 'name' | 'matchers' | 'integrationIds'> {
  // A label that a matcher cannot compare, such as one with a very long value, is left out.
  const byLabel = Object.entries(labels)
    .map(([key, value]): Predicate => ({ field: `labels.${key}`, op: 'eq', value }))
    .filter((matcher) => validatePredicate(matcher, '').length === 0);
  const matchers: Predicate[] = [
    { field: 'fingerprint', op: 'eq', value: fingerprint },
    ...byLabel.slice(0, longestList),
  ];
  return { name: `Silence: ${title.slice(0, longestTitle)}`, matchers, integrationIds: [integrationId] };
}
