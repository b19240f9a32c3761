/** An explanation travels in one message of the broker: what is oldest gives way. So does a simulation, of which what comes last gives way. */
import type { Notification, ExplainedDecision, ExplainedEvent, SimulatedItem, WorkflowRun } from '@ams/contracts';
import type { Considered } from './trigger.js';

/** What an explanation is made of, each oldest first. */
export interface ExplanationParts {
  events: ExplainedEvent[];
  decisions: (ExplainedDecision & { workflows: Considered[] })[];
  runs: Omit<WorkflowRun, 'trace'>[];
  notifications: Notification[];
}

/** Bytes of JSON, well below what a message can be. */
const roomBytes = 700 * 1024;
/** Of the workflows of one decision: a tenant may have many, each with a trace of two hundred nodes. */
const decisionBytes = 150 * 1024;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

/** Leaves out the oldest of what takes the most room, until all fits. */
export function cutToFit(parts: ExplanationParts, room = roomBytes): { parts: ExplanationParts; leftOut: boolean } {
  const decisions = parts.decisions.map((decision) => ({ ...decision, workflows: thatRanFirst(decision.workflows) }));
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

/** Of what follows from an item of a simulation. */
const followBytes = 250 * 1024;

/** An item of a simulation: of its workflows as many as of a decision, and of what follows what comes first. */
export function cutItem(item: SimulatedItem, room = followBytes): SimulatedItem {
  const follows: SimulatedItem['follows'] = [];
  let bytes = 0;
  for (const follow of item.follows) {
    const cut = { ...follow, workflows: thatRanFirst(follow.workflows) };
    bytes += bytesOf(cut);
    if (bytes > room) break;
    follows.push(cut);
  }
  const workflows = thatRanFirst(item.workflows);
  const isCut =
    follows.length < item.follows.length ||
    [{ workflows }, ...follows].some(
      (shown, index) => shown.workflows.length < [item, ...item.follows][index]!.workflows.length,
    );
  return { ...item, workflows, follows, leftOut: item.leftOut || isCut };
}

function thatRanFirst<Workflow extends Pick<Considered, 'outcome'>>(workflows: Workflow[]): Workflow[] {
  if (bytesOf(workflows) <= decisionBytes) return workflows;
  let bytes = 0;
  return [...workflows]
    .sort((a, b) => Number(b.outcome === 'run') - Number(a.outcome === 'run'))
    .filter((workflow, index) => (bytes += bytesOf(workflow)) <= decisionBytes || index === 0);
}
