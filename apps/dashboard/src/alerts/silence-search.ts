/** The address of the form that hides alerts like this one. */
interface Silenced {
  id: string;
  title: string;
  fingerprint: string;
  labels: Readonly<Record<string, string>>;
  integrationId: string | null;
  clientId: string | null;
}

export interface Matcher {
  field: string;
  op: 'eq';
  value: string;
}

/** As many labels as the API takes from an alert that is silenced by its id. */
const labelsAtMost = 18;

export const matchersOf = ({ fingerprint, labels }: Pick<Silenced, 'fingerprint' | 'labels'>): Matcher[] => [
  { field: 'fingerprint', op: 'eq', value: fingerprint },
  ...Object.keys(labels)
    .sort()
    .slice(0, labelsAtMost)
    .map((name) => ({ field: `labels.${name}`, op: 'eq' as const, value: labels[name] ?? '' })),
];

/** `silence` is the alert; the matchers as JSON are what the form begins with. */
export const silenceSearch = (alert: Silenced): Record<string, string> => ({
  silence: alert.id,
  name: alert.title.slice(0, 180),
  matchers: JSON.stringify(matchersOf(alert)),
  ...(alert.integrationId === null ? {} : { integrationId: alert.integrationId }),
});
