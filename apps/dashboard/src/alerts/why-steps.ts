/** An explanation as steps in the order in which they happened. */
import type { Data } from '../api/operation-types.js';
import type { TraceNode } from '../conditions/trace.js';
import { texts } from '../texts/texts.js';

export type Explanation = Data<'explainAlert'>;

export interface MappedField {
  field: string;
  from: string;
}

export interface WhyStep {
  id: string;
  at: string;
  text: string;
  note?: string;
  tone: 'alarm' | 'done' | 'person' | 'quiet';
  mapping?: MappedField[];
  trace?: TraceNode;
}

const said = texts.alerts.why;

export function whySteps({ events, decisions, suppressions, pages, notifications }: Explanation): WhyStep[] {
  const steps = [
    ...events.flatMap(eventSteps),
    ...decisions.flatMap(decisionSteps),
    ...suppressions.map(suppressionStep),
    ...pages.map(pageStep),
    ...notifications.map(notificationStep),
  ];
  // What happened at the same time keeps the order of the decisions.
  return steps
    .map((step, order) => ({ step, order }))
    .sort((a, b) => (a.step.at < b.step.at ? -1 : a.step.at > b.step.at ? 1 : a.order - b.order))
    .map(({ step }) => step);
}

type Loose = Record<string, unknown>;
const objects = (value: unknown): Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);
const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);

function eventSteps({
  id,
  receivedAt,
  outcome,
  mapping,
  fingerprint,
  windows,
}: Explanation['events'][number]): WhyStep[] {
  const { value, source } = fingerprint as Loose;
  const fields = Object.entries((mapping ?? {}) as Loose).map(([field, rule]) => {
    const { from, path } = (rule ?? {}) as Loose;
    return { field, from: said.from(textOf(from), textOf(path)) };
  });
  return [
    {
      id,
      at: receivedAt,
      text: said.request(said.outcomes[outcome] ?? outcome),
      note: said.fingerprint(textOf(value), textOf(source)),
      tone: outcome === 'opened' ? 'alarm' : outcome === 'resolved' ? 'done' : 'quiet',
      ...(fields.length > 0 ? { mapping: fields } : {}),
    },
    ...objects(windows).map((window, i) => ({
      id: `${id} ${i}`,
      at: receivedAt,
      text:
        window['undecided'] === true
          ? said.undecidedWindow(textOf(window['name']))
          : said.window(textOf(window['name']), window['matched'] === true),
      tone: 'quiet' as const,
    })),
  ];
}

function decisionSteps({ eventId, occurredAt, workflows }: Explanation['decisions'][number]): WhyStep[] {
  return objects(workflows).map((workflow, i) => {
    const [name, outcome] = [textOf(workflow['name']), textOf(workflow['outcome'])];
    const trace = isTrace(workflow['trace']) ? workflow['trace'] : undefined;
    return {
      id: `${eventId} ${i}`,
      at: occurredAt,
      text: said.workflow[outcome]?.(name) ?? said.otherOutcome(name, outcome),
      ...(trace?.undecided && { note: said.undecided }),
      tone: outcome === 'run' ? 'person' : 'quiet',
      ...(trace && { trace }),
    };
  });
}

const isTrace = (value: unknown): value is TraceNode =>
  typeof value === 'object' && value !== null && 'kind' in value && 'holds' in value;

const suppressionStep = (step: Explanation['suppressions'][number]): WhyStep => ({
  id: step.id,
  at: step.occurredAt,
  text: step.isHidden
    ? said.hidden(step.windowName ?? (step.windowId === null ? said.senderHides : said.deletedWindow))
    : said.shown,
  tone: 'quiet',
});

const pageStep = ({ id, askedAt, endedAt, why, outcome }: Explanation['pages'][number]): WhyStep => ({
  id,
  at: endedAt ?? askedAt,
  text: said.page,
  note: why,
  tone: outcome === 'nobody' ? 'alarm' : 'person',
});

const notificationStep = ({
  id,
  createdAt,
  channel,
  target,
  status,
  why,
}: Explanation['notifications'][number]): WhyStep => ({
  id,
  at: createdAt,
  text: said.notification(texts.notifications.channels[channel] ?? channel, target, status),
  ...(why ? { note: why } : {}),
  tone: status === 'failed' ? 'alarm' : 'quiet',
});
