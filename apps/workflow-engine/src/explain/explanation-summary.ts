/** Summarizes an explanation in a few sentences. It uses only the records of the explanation. */
import type { Actor, Change, Notification } from '@ams/contracts';
import type { AlertRow, WindowRecord } from '@ams/alerting';
import { maxCausedRuns, missDistance, whyNot } from '@ams/domain';
import { nearestFirst, type ExplanationParts } from './explanation-size.js';
import type { WorkflowDecision } from '../runs/event-decision.entity.js';
import { reasonText } from '../runs/step-reasons.js';

export interface Summarized extends ExplanationParts {
  alert: Pick<
    AlertRow,
    | 'integration_name'
    | 'status'
    | 'first_occurred_at'
    | 'last_occurred_at'
    | 'occurrence_count'
    | 'acknowledged_at'
    | 'acknowledged_by'
    | 'resolved_at'
    | 'resolved_by'
    | 'resolve_reason'
    | 'suppression'
  >;
  /** The changes of the first entry of its timeline. */
  opened: Change[];
  /** Whether there is more than the explanation shows. */
  isIncomplete: boolean;
  /** The public ids of the workflows of the alert's team. */
  ofTeam: ReadonlySet<string>;
  /** Decisions about workflows and their runs are hidden from narrowed keys. */
  seesWorkflows: boolean;
}

/** How many workflows, windows and notifications are named. */
const maxNamed = 10;

export function summaryOf(of: Summarized): string {
  const sentences = [
    opening(of),
    occurrences(of.alert),
    presentState(of),
    windowSentence(of),
    ...suppressionSentences(of),
    ...workflowSentences(of),
    ...skippedSteps(of),
    ...messages(of.notifications),
    pendingSteps(of),
    ...pageSentences(of),
  ];
  if (of.isIncomplete) sentences.push('Older and very large records are not included.');
  return sentences.filter((sentence) => sentence !== '').join(' ');
}

const time = (at: Date): string => `${at.toISOString().slice(0, 10)} at ${at.toISOString().slice(11, 19)} UTC`;

function listed(items: string[]): string {
  const shown = items.length <= maxNamed ? items : [...items.slice(0, maxNamed), `${items.length - maxNamed} more`];
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

function opening({ alert, opened }: Summarized): string {
  const value = (field: string): unknown => opened.find((change) => change.field === field)?.after;
  const [severity, status] = [value('severity'), value('status')];
  const as =
    typeof severity === 'string' ? ` as ${severity}${status === 'firing' ? '' : ` and ${String(status)}`}` : '';
  return `Opened by "${alert.integration_name}" on ${time(alert.first_occurred_at)}${as}.`;
}

const occurrences = ({ occurrence_count: count, last_occurred_at: last }: Summarized['alert']): string =>
  count < 2 ? '' : `It occurred ${count} times, most recently on ${time(last)}.`;

const by = (actor: Actor | null, at: Date | null): string =>
  `${actor ? ` by "${actor.name}"` : ''}${at ? ` on ${time(at)}` : ''}`;

function presentState(of: Summarized): string {
  const { alert } = of;
  switch (alert.status) {
    case 'firing':
      return 'It is firing.';
    case 'acknowledged':
      return `It was acknowledged${by(alert.acknowledged_by, alert.acknowledged_at)}.`;
    case 'resolved':
      return alert.resolve_reason === 'timeout'
        ? `It was resolved automatically${by(null, alert.resolved_at)}.`
        : `It was resolved${by(alert.resolved_by, alert.resolved_at)}.`;
    case 'suppressed': {
      const { windowId = null, until = null } = alert.suppression ?? {};
      if (windowId === null) return 'Its sender suppresses it.';
      const name = windowsOf(of).find((window) => window.windowId === windowId)?.name ?? windowId;
      const end = until === null ? '' : ` until ${time(new Date(until))}`;
      return `The suppression window "${name}" suppresses it${end}.`;
    }
  }
}

/** Each window that was considered, with its last result. */
const windowsOf = ({ events }: Pick<Summarized, 'events'>): WindowRecord[] => [
  ...new Map(
    events.flatMap(({ windows }) => windows as WindowRecord[]).map((window) => [window.windowId, window]),
  ).values(),
];

function windowSentence(of: Summarized): string {
  const windows = windowsOf(of);
  if (windows.length === 0) return '';
  const names = (matched: boolean): string[] =>
    windows.filter((window) => window.matched === matched).map(({ name }) => `"${name}"`);
  const [matching, others] = [names(true), names(false)];
  const results = [
    matching.length > 0 ? `${listed(matching)} matched` : '',
    others.length > 0 ? `${listed(others)} did not match` : '',
  ].filter((part) => part !== '');
  return `Active suppression windows: ${results.join(', ')}.`;
}

const reasons: Record<Exclude<WorkflowDecision['outcome'], 'run'>, (decision: WorkflowDecision) => string> = {
  conditions: ({ trace }) => whyNot(trace),
  quiet: () => 'the alert was not firing',
  loop: () => 'too many workflows had triggered each other',
  budget: () => `the event that began this chain of workflows had caused ${maxCausedRuns} runs, the most that it may`,
};

const nearness = ({ outcome, trace }: WorkflowDecision): string =>
  outcome === 'conditions' && trace.kind !== 'predicate' && missDistance(trace) === 1
    ? ', because of one condition only'
    : '';

/** Each time that the alert was hidden, and that this ended. */
function suppressionSentences({ suppressions }: Summarized): string[] {
  const sentences = suppressions.map(({ event, occurredAt, isHidden, windowId, windowName, until }) => {
    const at = time(new Date(occurredAt));
    if (!isHidden) return `This ended on ${at}${event === 'alert.resolved' ? ', when it was resolved' : ''}.`;
    if (windowId === null) return `It was hidden on ${at}, because its sender suppressed it.`;
    const name = `the suppression window "${windowName ?? windowId}"`;
    const end = until === null ? '' : ` until ${time(new Date(until))}`;
    return event === 'alert.suppressionChanged'
      ? `From ${at}, ${name} hid it${end}.`
      : `It was hidden on ${at} by ${name}${end}.`;
  });
  return sentences.length <= maxNamed
    ? sentences
    : ['It was hidden and shown again several times, at last:', ...sentences.slice(-maxNamed)];
}

/** The sentence that a workflow ran, or why it did not run the last time. */
function workflowSentences({ decisions, seesWorkflows, ofTeam }: Summarized): string[] {
  if (!seesWorkflows) return ['The key of this request does not see workflows.'];
  if (decisions.length === 0) return ['No workflow has a trigger for its events.'];
  const last = new Map<string, { decision: WorkflowDecision; event: string }>();
  for (const { event, workflows } of decisions) {
    for (const decision of workflows)
      if (last.get(decision.workflowId)?.decision.outcome !== 'run' || decision.outcome === 'run')
        last.set(decision.workflowId, { decision, event });
  }
  const considered = [...last.values()].map(({ decision, event }) => ({ ...decision, event }));
  const sentences = nearestFirst(considered, ofTeam).map((decision) =>
    decision.outcome === 'run'
      ? `"${decision.name}" ran on ${decision.event}.`
      : `"${decision.name}" did not run on ${decision.event}${nearness(decision)}: ` +
        `${reasons[decision.outcome](decision)}.`,
  );
  return sentences.length <= maxNamed
    ? sentences
    : [...sentences.slice(0, maxNamed), `${sentences.length - maxNamed} more workflows were considered.`];
}

function skippedSteps({ runs }: Summarized): string[] {
  const skipped = runs.flatMap(({ workflowName, steps }) =>
    steps
      .filter(({ outcome, reason }) => outcome !== 'done' && reason !== null)
      .map(
        ({ id, outcome, reason }) =>
          `The step "${id}" of "${workflowName}" ` +
          `${outcome === 'failed' ? 'failed' : 'was skipped'}: ${reasonText(reason)}.`,
      ),
  );
  return skipped.slice(0, maxNamed);
}

/** The next step of each waiting run. */
function pendingSteps({ runs }: Summarized): string {
  const next = runs.flatMap(({ status, workflowName, steps }) => {
    // A step that waits for the end of its messages has a detail.
    const step =
      status === 'waiting' ? steps.find(({ outcome, detail }) => outcome === 'pending' && detail === null) : undefined;
    return step?.at ? [`the step "${step.id}" of "${workflowName}" on ${time(new Date(step.at))}`] : [];
  });
  return next.length === 0 ? '' : `Pending: ${listed(next)}.`;
}

/** How each page ended. */
function pageSentences({ pages }: Summarized): string[] {
  const sentences = pages.map(({ why }) => why);
  return sentences.length <= maxNamed
    ? sentences
    : [`It asked for somebody ${sentences.length} times, at last:`, ...sentences.slice(-maxNamed)];
}

function messages(notifications: readonly Notification[]): string[] {
  if (notifications.length === 0) return ['No notification was sent.'];
  const those = (status: Notification['status'], show: (notification: Notification) => string): string =>
    listed(notifications.filter((notification) => notification.status === status).map(show));
  const place = ({ target, channel }: Notification): string => `${target} (${channel})`;
  const sent = (notification: Notification): string =>
    `${place(notification)} on ${time(new Date(notification.updatedAt))}`;
  const withReason = (notification: Notification): string =>
    `${notification.target === '' ? '' : `${place(notification)}: `}${notification.reason ?? 'no reason was stored'}`;
  const groups = [
    ['Notified:', those('sent', sent)],
    ['Not sent yet:', those('queued', place)],
    ['Captured, because the test environment sends nothing:', those('captured', place)],
    ['Could not be notified:', those('failed', withReason)],
    ['Not notified:', those('skipped', withReason)],
  ];
  return groups.filter(([, names]) => names !== '').map(([label, names]) => `${label} ${names}.`);
}
