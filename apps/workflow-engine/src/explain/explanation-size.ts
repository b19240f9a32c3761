/**
 * An answer is one NATS message. An explanation that is too large is cut: its oldest records are left out. Of a
 * simulation the last records are left out.
 */
import type {
  Notification,
  ExplainedDecision,
  ExplainedEvent,
  ExplainedPage,
  ExplainedSuppression,
  SimulatedItem,
  WorkflowRun,
} from '@ams/contracts';
import { missDistance } from '@ams/domain';
import type { WorkflowDecision } from '../runs/event-decision.entity.js';

/** The records of an explanation, each list oldest first. */
export interface ExplanationParts {
  events: ExplainedEvent[];
  decisions: (ExplainedDecision & { workflows: WorkflowDecision[] })[];
  suppressions: ExplainedSuppression[];
  runs: Omit<WorkflowRun, 'trace'>[];
  notifications: Notification[];
  pages: ExplainedPage[];
}

/** Bytes of JSON, well below the limit of a message. */
const roomBytes = 700 * 1024;
/** For the workflows of one event: a tenant may have many, each with a trace of two hundred nodes. */
const decisionBytes = 150 * 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/**
 * Workflows that ran, then the others by how near they were: first those whose conditions held or failed by one node,
 * then those of the team of the alert, then the rest. Of both kinds, those of the team come first. `ofTeam` has their
 * public ids.
 */
export function nearestFirst<Workflow extends Pick<WorkflowDecision, 'outcome' | 'trace' | 'workflowId'>>(
  workflows: readonly Workflow[],
  ofTeam: ReadonlySet<string> = new Set(),
): Workflow[] {
  const placeOf = ({ outcome, trace, workflowId }: Workflow): [group: number, distance: number] => {
    if (outcome === 'run') return [0, 0];
    const distance = missDistance(trace);
    const isOfTeam = ofTeam.has(workflowId);
    return [distance <= 1 ? (isOfTeam ? 1 : 2) : isOfTeam ? 3 : 4, distance];
  };
  return workflows
    .map((workflow) => ({ workflow, place: placeOf(workflow) }))
    .sort((a, b) => a.place[0] - b.place[0] || (a.place[1] === b.place[1] ? 0 : a.place[1] - b.place[1]))
    .map(({ workflow }) => workflow);
}

/** Leaves out the oldest record of the largest list until everything fits. */
export function cutToFit(
  parts: ExplanationParts,
  { room = roomBytes, ofTeam }: { room?: number; ofTeam?: ReadonlySet<string> } = {},
): { parts: ExplanationParts; leftOut: boolean } {
  const decisions = parts.decisions.map((decision) => ({
    ...decision,
    workflows: fittingWorkflows(nearestFirst(decision.workflows, ofTeam)),
  }));
  const cut: ExplanationParts = { ...parts, decisions };
  const sizes = Object.entries(cut).map(([name, list]) => ({
    name: name as keyof ExplanationParts,
    // Notifications are in the answer twice: also under their old name, `deliveries`.
    sizes: (list as unknown[]).map((one) => bytesOf(one) * (name === 'notifications' ? 2 : 1)),
  }));
  const total = ({ sizes: ofList }: { sizes: number[] }): number => ofList.reduce((sum, size) => sum + size, 0);
  let leftOut = decisions.some(
    ({ workflows }, index) => workflows.length < (parts.decisions[index]?.workflows.length ?? 0),
  );
  while (sizes.reduce((sum, list) => sum + total(list), 0) > room) {
    const heaviest = sizes.reduce((most, list) => (total(list) > total(most) ? list : most));
    heaviest.sizes.shift();
    cut[heaviest.name] = cut[heaviest.name].slice(1) as never;
    leftOut = true;
  }
  return { parts: cut, leftOut };
}

/** The limit for what follows from an item of a simulation. */
const followBytes = 250 * 1024;

/** Cuts an item of a simulation: its workflows like those of an event, and the last records of what follows. */
export function cutItem(item: SimulatedItem, room = followBytes): SimulatedItem {
  const follows: SimulatedItem['follows'] = [];
  let bytes = 0;
  for (const follow of item.follows) {
    const cut = { ...follow, workflows: fittingWorkflows(follow.workflows) };
    bytes += bytesOf(cut);
    if (bytes > room) break;
    follows.push(cut);
  }
  const workflows = fittingWorkflows(item.workflows);
  const isCut =
    follows.length < item.follows.length ||
    [{ workflows }, ...follows].some(
      (shown, index) => shown.workflows.length < [item, ...item.follows][index]!.workflows.length,
    );
  return { ...item, workflows, follows, leftOut: item.leftOut || isCut };
}

function fittingWorkflows<Workflow extends Pick<WorkflowDecision, 'outcome'>>(workflows: Workflow[]): Workflow[] {
  if (bytesOf(workflows) <= decisionBytes) return workflows;
  let bytes = 0;
  return [...workflows]
    .sort((a, b) => Number(b.outcome === 'run') - Number(a.outcome === 'run'))
    .filter((workflow, index) => (bytes += bytesOf(workflow)) <= decisionBytes || index === 0);
}
