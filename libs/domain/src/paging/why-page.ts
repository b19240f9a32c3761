/** Why an alert asked for somebody, and how that ended, as one sentence. */

export const pageOutcomes = ['told', 'joined', 'acknowledged', 'resolved', 'suppressed', 'fallback', 'nobody'] as const;

export type PageOutcome = (typeof pageOutcomes)[number];

/** A line of the page ledger with the records that it names. */
export interface PageLine {
  /** Null: no workflow ran. `name` is null when whoever asks does not see workflows. */
  workflow: { name: string | null } | null;
  /** The event by which the alert asked, such as `alert.created`; null when its record was deleted. */
  event: string | null;
  outcome: PageOutcome | null;
  /** Who was told, by their addresses. */
  told: readonly string[];
  incidentNumber: number | null;
  /** The escalation policy of the incident. */
  policyName: string | null;
  /** How often the page was missing. */
  repairs: number;
}

/** At most this many recipients are named. */
const maxNamed = 10;

export function whyPage(line: PageLine): string {
  const late = line.repairs > 0 ? ', after the page had been missing' : '';
  return `${asked(line)}${ended(line)}${late}.`;
}

function asked({ workflow, event }: PageLine): string {
  const on = event === null ? '' : ` on ${event}`;
  if (!workflow) return `No workflow ran${on} for the urgent alert and the catch-all policy was asked`;
  return workflow.name === null ? `A workflow ran${on}` : `"${workflow.name}" ran${on}`;
}

function ended({ outcome, told, incidentNumber, policyName }: PageLine): string {
  const incident = incidentNumber === null ? 'an incident' : `incident ${incidentNumber}`;
  const policy = policyName === null ? 'the escalation policy' : `the escalation policy "${policyName}"`;
  switch (outcome) {
    case null:
      return ', and nobody has been told yet';
    case 'told':
      return `, and ${namesOf(told)} by ${policy}`;
    case 'joined':
      return `, and the alert joined ${incident}, whose people had been told`;
    case 'acknowledged':
    case 'resolved':
    case 'suppressed':
      return `, but it was ${outcome} before anybody was told`;
    case 'fallback':
      return `, nobody of ${policy} could be told, and ${namesOf(told)} instead`;
    case 'nobody':
      return ', and nobody could be told';
  }
}

function namesOf(told: readonly string[]): string {
  const different = [...new Set(told)];
  const rest = different.length - maxNamed;
  const shown = rest > 0 ? [...different.slice(0, maxNamed), `${rest} more`] : different;
  if (shown.length === 0) return 'somebody was told';
  if (shown.length === 1) return `${shown[0]} was told`;
  return `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)} were told`;
}
