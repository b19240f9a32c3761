/**
 * The course that things would take: workflows are considered, their runs go on step by step, and what the steps do is
 * considered again, up to the guard against loops. The decisions are those of the real path (`decide`, `decideStep`,
 * `executeCommand`); time is imagined and goes from one step that is due to the next. Where the real path does several things
 * at once, one goes after the other here: all that has happened is looked at, then one run does what it can do now.
 */
import {
  newUuid,
  publicId,
  uuidOf,
  type ImaginedIncident,
  type PlannedIncident,
  type PlannedStep,
  type SimulatedCause,
  type SimulatedFollow,
  type SimulatedWorkflow,
  type Tenant,
  type WorkflowCommandBody,
} from '@ams/contracts';
import { alertOfRecord, executeCommand, type IncidentRecord } from '@ams/alerting';
import { type Tx } from '@ams/database';
import {
  decideStep,
  workflowEvents,
  type RanBefore,
  type StepSituation,
  type WorkflowEvent,
  type WorkflowStep,
} from '@ams/domain';
import { alertOf, incidentOf, lookAround, type Around, type DomainEvent } from './facts.js';
import type { ImaginedRecords } from './imagined-records.js';
import { planOf, planOfIncident, planOfNothing, type Plan } from './plan.js';
import { onCallOf } from './recipients.js';
import type { Run } from './run-record.js';
import { askedOf, commandOf, isOurs, resultOf, toldResult, type StepResult } from './steps.js';
import {
  decide,
  ranBefore,
  ranKey,
  tenantOf,
  wakesRuns,
  workflowsOf,
  type Considered,
  type WorkflowRow,
} from './trigger.js';

/** More than people make, and few enough to be looked at while somebody waits. */
const mostHappenings = 200;
const mostSteps = 2000;

/** Something that happens, and what comes of it. `root` is whatever whoever follows calls what it began with. */
export interface Happened {
  root: number;
  event: DomainEvent;
  /** Null for what began it. */
  cause: SimulatedCause | null;
  considered: { workflow: Considered; run: ImaginedRun | null }[];
}

interface ImaginedRun {
  root: number;
  run: Run;
  /** When it is looked at next; never for a page that waits until the alert fires again. */
  due: number;
  steps: PlannedStep[];
  /** What became of it; null while it goes on, `left` for one that was followed no further. */
  status: 'completed' | 'failed' | 'left' | null;
}

/** What a workflow is tried with. */
export interface About {
  type: WorkflowEvent;
  alertId: string | null;
  incidentId: string | null;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export class Course {
  readonly happened: Happened[] = [];
  private readonly pending: Happened[] = [];
  private readonly runs: ImaginedRun[] = [];
  /** Those that are not over. */
  private readonly going = new Set<ImaginedRun>();
  private readonly workflows = new Map<string, WorkflowRow[]>();
  private readonly plans = new Map<string, Promise<Plan>>();
  private steps = 0;
  private overfull = false;

  constructor(
    private readonly tx: Tx,
    private readonly tenant: Tenant,
    private readonly records: ImaginedRecords,
    private now: number,
  ) {}

  /** Whether there is more than was followed. */
  get leftOut(): boolean {
    return this.overfull || this.records.leftOut;
  }

  /** Something that has happened, which is to be followed. What concerns no workflow is not. */
  add(root: number, event: DomainEvent, cause: SimulatedCause | null): void {
    if (!workflowEvents.includes(event.type as WorkflowEvent)) return;
    if (this.happened.length >= mostHappenings) {
      this.overfull = true;
      return;
    }
    const happened = { root, event, cause, considered: [] };
    this.happened.push(happened);
    this.pending.push(happened);
  }

  /** To the end. */
  async follow(): Promise<void> {
    for (;;) {
      const happened = this.pending.shift();
      if (happened) await this.consider(happened);
      else {
        const next = this.nextRun();
        if (!next) break;
        this.now = Math.max(this.now, next.due);
        await this.advance(next);
        if (next.status !== null) this.going.delete(next);
      }
    }
    for (const imagined of this.runs) await this.planRest(imagined);
  }

  /** The steps of one workflow alone, whatever others would make of them. */
  async tryOut(workflow: WorkflowRow, { type, alertId, incidentId }: About): Promise<PlannedStep[]> {
    const run = this.runOf(workflow, { id: newUuid(), type, occurredAt: iso(this.now), depth: 0, alertId, incidentId });
    const imagined = this.beginRun(0, run);
    while (imagined.status === null && Number.isFinite(imagined.due)) {
      this.now = Math.max(this.now, imagined.due);
      await this.advance(imagined);
    }
    await this.planRest(imagined);
    return imagined.steps;
  }

  private nextRun(): ImaginedRun | undefined {
    let first: ImaginedRun | undefined;
    for (const one of this.going) if (one.due < (first?.due ?? Number.POSITIVE_INFINITY)) first = one;
    return first;
  }

  // --- What happens ---------------------------------------------------------------------------------------------------

  private async consider(happened: Happened): Promise<void> {
    const { event, root } = happened;
    if (wakesRuns(event)) this.wake(event);
    const { considered, runs, alertId, incidentId } = decide(
      event,
      await this.workflowsFor(event),
      await this.ranFor(event),
      await this.aroundOf(event),
      new Date(this.now),
    );
    for (const workflow of considered) {
      const begun = runs.find(({ id }) => id === workflow.runId);
      const run =
        begun &&
        this.runOf(begun.workflow, {
          id: begun.id,
          type: event.type as WorkflowEvent,
          occurredAt: event.occurredAt,
          depth: event.depth,
          alertId,
          incidentId,
        });
      happened.considered.push({ workflow, run: run ? this.beginRun(root, run) : null });
    }
  }

  private async workflowsFor(event: DomainEvent): Promise<WorkflowRow[]> {
    const present = this.workflows.get(event.type);
    if (present) return present;
    const found = (await workflowsOf(this.tx, [event])).get(tenantOf(event)) ?? [];
    this.workflows.set(event.type, found);
    return found;
  }

  private async ranFor(event: DomainEvent): Promise<Map<string, RanBefore>> {
    const ran = await ranBefore(this.tx, [event]);
    if (event.type !== 'alert.resumed') return ran;
    const alertId = uuidOf('alert', alertOf(event)?.id ?? '');
    for (const { run, status } of this.runs) {
      const key = ranKey(run.workflow_id, run.alert_id);
      if (run.alert_id === alertId && ran.get(key) !== 'waiting') ran.set(key, status === null ? 'waiting' : 'done');
    }
    return ran;
  }

  private async aroundOf(event: DomainEvent): Promise<Around> {
    const around = await lookAround(this.tx, [event]);
    return { ...around, incidents: new Map([...around.incidents, ...this.records.incidentsNow()]) };
  }

  private wake(event: DomainEvent): void {
    const alertId = uuidOf('alert', alertOf(event)?.id ?? '');
    const incidentId = uuidOf('incident', incidentOf(event)?.id ?? '');
    const concerns = ({ alert_id: alert, incident_id: incident }: Run): boolean =>
      (alertId !== null && alert === alertId) || (incidentId !== null && incident === incidentId);
    for (const imagined of this.going) if (concerns(imagined.run)) imagined.due = this.now;
  }

  // --- Runs -----------------------------------------------------------------------------------------------------------

  private runOf(
    workflow: WorkflowRow,
    {
      id,
      type,
      occurredAt,
      depth,
      alertId,
      incidentId,
    }: {
      id: string;
      type: WorkflowEvent;
      occurredAt: string;
      depth: number;
      alertId: string | null;
      incidentId: string | null;
    },
  ): Run {
    const { organizationId, environment } = this.tenant;
    return {
      id,
      organization_id: organizationId,
      environment,
      workflow_id: workflow.id,
      workflow_name: workflow.name,
      workflow_version: workflow.version,
      event_id: id,
      event_type: type,
      occurred_at: new Date(occurredAt),
      depth,
      alert_id: alertId,
      incident_id: incidentId,
      status: 'running',
      steps: workflow.steps,
      next_step: 0,
      joined: false,
      previous_done_at: new Date(this.now),
    };
  }

  private beginRun(root: number, run: Run): ImaginedRun {
    const imagined: ImaginedRun = { root, run, due: this.now, steps: [], status: null };
    this.runs.push(imagined);
    this.going.add(imagined);
    return imagined;
  }

  /** Does what can be done of it now. */
  private async advance(imagined: ImaginedRun): Promise<void> {
    const { run } = imagined;
    for (;;) {
      const step = run.steps[run.next_step];
      if (!step) {
        imagined.status = 'completed';
        return;
      }
      if (++this.steps > mostSteps) {
        this.overfull = true;
        imagined.status = 'left';
        return;
      }
      const decision = decideStep(step, await this.situationOf(run));
      if (decision.kind === 'wait' || decision.kind === 'hold') {
        imagined.due = decision.kind === 'wait' ? decision.until : Number.POSITIVE_INFINITY;
        return;
      }
      const done = decision.kind === 'skip' ? this.skipped(decision.why) : await this.doStep(imagined, step);
      imagined.steps.push(plannedStep(step, iso(this.now), done));
      if (keep(run, step, done.result, this.now)) {
        imagined.status = 'failed';
        return;
      }
    }
  }

  private async situationOf({
    alert_id: alertId,
    incident_id: incidentId,
    previous_done_at: previous,
    joined,
    event_type: event,
  }: Run): Promise<StepSituation> {
    const alert = alertId === null ? undefined : await this.records.alert(alertId);
    const incident = incidentId === null ? undefined : await this.records.incident(incidentId);
    return {
      now: this.now,
      previousDoneAt: previous.getTime(),
      alertStatus: alert?.state.status ?? null,
      incidentStatus: incident?.state.status ?? null,
      joined,
      event: event as WorkflowEvent,
    };
  }

  private skipped(reason: string): Done & { result: StepResult } {
    return { plan: planOfNothing(reason), result: { outcome: 'skipped', reason } };
  }

  private async doStep(imagined: ImaginedRun, step: WorkflowStep): Promise<Done & { result: StepResult }> {
    const { run } = imagined;
    if (isOurs(step)) {
      const plan = await this.planFor(run, step);
      return { plan, result: toldResult(plan.targets.map(({ unreachable }) => unreachable)) };
    }
    const asked = await askedOf(
      step,
      async () => {
        const record = run.alert_id === null ? undefined : await this.records.alert(run.alert_id);
        return record ? alertOfRecord(record) : null;
      },
      (scheduleId) => onCallOf(this.tx, run, scheduleId, 'current', iso(this.now)),
    );
    const { result, incident } =
      'outcome' in asked ? { result: asked, incident: null } : await this.execute(imagined, step, asked);
    return {
      plan: step.type === 'openIncident' ? planOfIncident(step.params, incident) : await this.planFor(run, step),
      result,
      incident,
    };
  }

  /** As the pipeline does it. What then happens has this step as its cause. */
  private async execute(
    { root, run }: ImaginedRun,
    step: WorkflowStep,
    body: WorkflowCommandBody,
  ): Promise<{ result: StepResult; incident: PlannedIncident | null }> {
    const reply = await executeCommand(this.records, commandOf(run, body), iso(this.now));
    const happened = this.records.takeEvents();
    await this.records.countResolved();
    for (const event of [...happened, ...this.records.takeEvents()]) this.add(root, event, causedBy(event, run, step));
    const result = resultOf(body, reply);
    const id = body.kind === 'openIncident' ? (result.incidentId ?? null) : null;
    const record = id === null ? undefined : await this.records.incident(id);
    if (!record || reply.kind === 'refused') return { result, incident: null };
    const did = (type: string): boolean =>
      happened.some((event) => event.type === type && incidentOf(event)?.id === publicId('incident', record.id));
    const decision = did('incident.created')
      ? 'opened'
      : did('incident.reopened')
        ? 'reopened'
        : reply.changed
          ? 'joined'
          : 'kept';
    return { result, incident: { ...shownIncident(record, this.records), decision } };
  }

  /** The same workflow, step and time mean the same people. */
  private planFor(run: Run, step: Exclude<WorkflowStep, { type: 'openIncident' }>, at = iso(this.now)): Promise<Plan> {
    const noun = run.alert_id === null ? 'incident' : 'alert';
    const key = `${run.workflow_id} ${step.id} ${noun} ${at}`;
    const plan = this.plans.get(key) ?? planOf(this.tx, run, step, noun, at);
    this.plans.set(key, plan);
    return plan;
  }

  /** Steps that are not reached: one before them failed, or waits for an alert that does not fire again here. */
  private async planRest({ run, steps, status }: ImaginedRun): Promise<void> {
    if (status === 'left') return;
    let due = run.previous_done_at.getTime();
    for (const step of run.steps.slice(steps.length)) {
      due += step.delaySeconds * 1000;
      steps.push(
        status === 'failed'
          ? plannedStep(step, iso(due), this.skipped('a step before it failed'))
          : await this.waiting(run, step, iso(due)),
      );
    }
  }

  private async waiting(run: Run, step: WorkflowStep, at: string): Promise<PlannedStep> {
    const plan = step.type === 'openIncident' ? planOfIncident(step.params, null) : await this.planFor(run, step, at);
    return plannedStep(step, at, {
      plan,
      result: { outcome: 'pending', reason: 'it waits until the alert fires again' },
    });
  }
}

/** What is done of a step. */
interface Done {
  plan: Plan;
  result: Omit<StepResult, 'outcome'> & Pick<PlannedStep, 'outcome'>;
  incident?: PlannedIncident | null;
}

function plannedStep(step: WorkflowStep, at: string, { plan, result, incident = null }: Done): PlannedStep {
  const { changed = null } = (result.detail ?? {}) as { changed?: boolean };
  return {
    id: step.id,
    type: step.type,
    at,
    would: plan.would,
    targets: plan.targets,
    unless: step.unless,
    outcome: result.outcome,
    reason: result.reason ?? null,
    changed,
    incident,
  };
}

/** Keeps what came of the step with the run, as the real one does (see `Runs`); whether that ends it. */
function keep(
  run: Run,
  step: WorkflowStep,
  { outcome, incidentId = null, joined = false }: StepResult,
  now: number,
): boolean {
  run.next_step++;
  run.previous_done_at = new Date(now);
  run.incident_id = incidentId ?? run.incident_id;
  run.joined ||= joined;
  return outcome === 'failed' && !step.continueOnError;
}

function causedBy({ cause }: DomainEvent, run: Run, step: WorkflowStep): SimulatedCause {
  const type = cause.type === 'alert' || cause.type === 'incident' ? cause.type : 'workflow';
  return { type, workflowId: publicId('workflow', run.workflow_id), workflowName: run.workflow_name, stepId: step.id };
}

function shownIncident({ id, number, state }: IncidentRecord, records: ImaginedRecords): ImaginedIncident {
  const made = records.isMade(id);
  return {
    id: made ? null : publicId('incident', id),
    number: made ? null : number,
    title: state.title,
    status: state.status,
  };
}

// --- As the answer shows it -----------------------------------------------------------------------------------------

export const shownWorkflows = ({ event, considered }: Happened): SimulatedWorkflow[] =>
  considered.map(({ workflow: { workflowId, name, version, outcome, trace }, run }) => ({
    workflowId: publicId('workflow', workflowId),
    name,
    version,
    event: event.type as WorkflowEvent,
    outcome,
    trace,
    steps: run?.steps ?? [],
    depth: event.depth,
    runStatus: run && run.status !== 'left' ? (run.status ?? 'waiting') : null,
  }));

export function shownFollow(happened: Happened & { cause: SimulatedCause }, records: ImaginedRecords): SimulatedFollow {
  const { event, cause } = happened;
  const alert = alertOf(event);
  const incident = incidentOf(event);
  const incidentMade = records.isMade(uuidOf('incident', incident?.id ?? ''));
  return {
    event: event.type as WorkflowEvent,
    at: event.occurredAt,
    depth: event.depth,
    cause,
    alert: alert && {
      id: records.isMade(uuidOf('alert', alert.id)) ? null : alert.id,
      title: alert.title,
      fingerprint: alert.fingerprint,
      severity: alert.severity,
      status: alert.status,
    },
    incident: incident && {
      id: incidentMade ? null : incident.id,
      number: incidentMade ? null : incident.number,
      title: incident.title,
      status: incident.status,
    },
    changes: event.changes,
    workflows: shownWorkflows(happened),
  };
}
