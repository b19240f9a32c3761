/** What a simulated alert says about who would be paged. Pure. */
import type { components } from '@ams/client';

type Item = components['schemas']['SimulatedItem'];
type Page = components['schemas']['PlannedPage'];

export interface Told {
  channel: string;
  target: string;
  why: string;
  unreachable: string | null;
}

export interface PagedBy {
  /** Null: the catch-all policy was asked, because no workflow runs. */
  workflow: { id: string; name: string } | null;
  policyId: string | null;
  policyName: string | null;
  /** How the policy was found, as a sentence. */
  why: string;
  told: Told[];
  /** Whom the further levels would tell, if nobody acknowledges. */
  later: { level: number; afterSeconds: number; told: Told[] }[];
}

export type Verdict = 'paged' | 'unreachable' | 'joined' | 'suppressed' | 'nobody' | 'refused';

export interface Answer {
  verdict: Verdict;
  pages: PagedBy[];
  /** What other steps tell, such as a message to a chat. */
  messages: { workflow: { id: string; name: string }; would: string; told: Told[] }[];
  workflows: { id: string; name: string; outcome: string }[];
  /** Names of the suppression windows that hide the alert. */
  windows: string[];
  /** Why the catch-all policy is asked or not. */
  catchAll: string | null;
  incident: string | null;
  faults: string[];
}

export function answerOf(item: Item | undefined): Answer {
  const workflows = (item?.workflows ?? []).map((flow) => ({
    flow,
    workflow: { id: flow.workflowId, name: flow.name },
  }));
  const steps = workflows.flatMap(({ flow, workflow }) =>
    flow.steps
      .filter(({ outcome }) => outcome !== 'skipped' && outcome !== 'failed')
      .map((step) => ({ step, workflow })),
  );
  const asked = item?.catchAll?.outcome === 'asked' ? item.catchAll : null;
  const found = steps.flatMap(({ step, workflow }) => (step.page ? [{ workflow, page: step.page }] : []));
  const pages = [
    ...found.map(({ workflow, page }) => pagedBy(workflow, page)),
    ...(asked?.page ? [pagedBy(null, asked.page)] : []),
  ];
  const tellsNow = [...found.map(({ page }) => page), ...(asked?.page ? [asked.page] : [])].some(
    (page) => page.tellsNow,
  );
  const isSuppressed = item?.alert?.status === 'suppressed';
  const incident =
    steps.flatMap(({ step }) => step.incident ?? []).map(({ decision }) => decision)[0] ??
    asked?.incident?.decision ??
    null;
  return {
    verdict: verdictOf(item, isSuppressed, pages, tellsNow),
    pages,
    messages: steps.flatMap(({ step, workflow }) => {
      const told = toldIn(step.targets);
      return step.page || told.length === 0 ? [] : [{ workflow, would: step.would, told }];
    }),
    workflows: workflows.map(({ flow, workflow }) => ({ ...workflow, outcome: flow.outcome })),
    windows: (item?.windows ?? []).flatMap((window) => {
      const { name, matched } = window as { name?: unknown; matched?: unknown };
      return typeof name === 'string' && matched === true ? [name] : [];
    }),
    catchAll: item?.catchAll?.would ?? null,
    incident,
    faults: (item?.faults ?? []).flatMap((fault) => {
      const { message } = fault as { message?: unknown };
      return typeof message === 'string' ? [message] : [];
    }),
  };
}

function verdictOf(item: Item | undefined, isSuppressed: boolean, pages: PagedBy[], tellsNow: boolean): Verdict {
  if (item === undefined || item.outcome !== 'event') return 'refused';
  if (isSuppressed) return 'suppressed';
  if (pages.length === 0) return 'nobody';
  if (!tellsNow) return 'joined';
  return pages.some(({ told }) => told.some(({ unreachable }) => unreachable === null)) ? 'paged' : 'unreachable';
}

const pagedBy = (workflow: PagedBy['workflow'], { policyId, policyName, why, levelOne, later }: Page): PagedBy => ({
  workflow,
  policyId,
  policyName,
  why,
  told: toldIn(levelOne),
  later: later.map(({ level, afterSeconds, targets }) => ({ level, afterSeconds, told: toldIn(targets) })),
});

/** The recipients of a simulation have no schema in the document. */
function toldIn(targets: readonly unknown[]): Told[] {
  return targets.map((each) => {
    const { channel, target, why, unreachable } = each as Record<string, unknown>;
    return {
      channel: textOf(channel),
      target: textOf(target),
      why: textOf(why),
      unreachable: typeof unreachable === 'string' ? unreachable : null,
    };
  });
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** `team=payments` or `team:payments` as `team:payments`, the form of the address; null when it has no value. */
export function labelOf(text: string): string | null {
  const found = /^\s*([^=:\s]+)\s*[=:]\s*(.*\S)\s*$/s.exec(text);
  return found ? `${found[1]}:${found[2]}` : null;
}

/** Labels of the address as an object. */
export const labelsIn = (labels: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    labels.map((label) => {
      const colon = label.indexOf(':');
      return colon < 0 ? [label, ''] : [label.slice(0, colon), label.slice(colon + 1)];
    }),
  );
