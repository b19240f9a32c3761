/** A run in memory. Its steps are those of a real run (`runStep`), with imagined records. */
import {
  alertOfRecord,
  incidentOfRecord,
  prepareStep,
  runStep,
  type FinishedStep,
  type RecipientReads,
  type Run,
  type RunEffects,
  type RunProgress,
  type StepEffects,
  type StepReads,
} from '@ams/alerting';
import {
  publicId,
  type Alert,
  type Incident,
  type PlannedStep,
  type SimulatedCause,
  type WorkflowCommand,
  type WorkflowCommandReply,
} from '@ams/contracts';
import type { WorkflowStep } from '@ams/domain';
import type { AlertingEvent } from '../runs/condition-facts.js';
import type { ImaginedRecords } from './imagined-records.js';
import { executed } from './simulated-command.js';
import { plannedPage } from './planned-page.js';
import { noIncident, plannedStep, type StepIncident } from './step-description.js';

/** The values that all runs of a simulation share. */
export interface SimulationState {
  /** The imagined time in milliseconds. */
  readonly now: number;
  readonly records: ImaginedRecords;
  readonly recipients: RecipientReads;
  /** Adds the events that a step of a run has caused. */
  addEvent(itemIndex: number, event: AlertingEvent, cause: SimulatedCause): void;
}

const iso = (ms: number): string => new Date(ms).toISOString();

export class SimulatedRun implements RunEffects, StepEffects {
  /** When the run is continued; never for a page that waits until its alert fires again. */
  dueAt: number;
  readonly steps: PlannedStep[] = [];
  /** Null while the run continues; `cut` for a run that was not followed to its end. */
  status: 'completed' | 'failed' | 'cut' | null = null;
  /** What the present step does with an incident. */
  private stepIncident: StepIncident = noIncident;

  /** `itemIndex`: the item of the payload that began it. */
  constructor(
    private readonly simulation: SimulationState,
    readonly itemIndex: number,
    readonly run: Run,
  ) {
    this.dueAt = simulation.now;
  }

  get isAtEnd(): boolean {
    return this.run.nextStep >= this.run.steps.length;
  }

  runStep(): Promise<RunProgress> {
    return runStep(this);
  }

  // --- The effects of steps ------------------------------------------------------------------------------------------

  async locked<T>(work: (run: Run, effects: StepEffects) => Promise<T>): Promise<T | undefined> {
    return this.status === null ? work(this.run, this) : undefined;
  }

  unlocked<T>(work: (run: Run, reads: StepReads) => Promise<T>): Promise<T | undefined> {
    return this.locked(work);
  }

  async stateFor({ alertId, incidentId }: Run) {
    const { now, records } = this.simulation;
    const alert = alertId === null ? undefined : await records.alert(alertId);
    const incident = incidentId === null ? undefined : await records.incident(incidentId);
    return {
      now,
      alertStatus: alert?.state.status ?? null,
      incidentStatus: incident?.state.status ?? null,
      workflow: 'enabled' as const,
    };
  }

  async alertOf({ alertId }: Run): Promise<Alert | null> {
    const record = alertId === null ? undefined : await this.simulation.records.alert(alertId);
    return record ? alertOfRecord(record) : null;
  }

  async incidentOf({ incidentId }: Run): Promise<Incident | null> {
    const record = incidentId === null ? undefined : await this.simulation.records.incident(incidentId);
    return record ? incidentOfRecord(record) : null;
  }

  /** Only alerts and incidents are simulated. */
  async recordOf(): Promise<null> {
    return null;
  }

  get member(): RecipientReads['member'] {
    return this.simulation.recipients.member;
  }

  get onCall(): RecipientReads['onCall'] {
    return this.simulation.recipients.onCall;
  }

  get mailFacts(): RecipientReads['mailFacts'] {
    return this.simulation.recipients.mailFacts;
  }

  /** The recipients are shown from the prepared step; nothing is created. */
  notify(): Promise<null> {
    return Promise.resolve(null);
  }

  async wait(_run: Run, until: number | null): Promise<void> {
    this.dueAt = until ?? Number.POSITIVE_INFINITY;
  }

  async complete(): Promise<void> {
    this.status = 'completed';
  }

  /** No workflow changes during a simulation. */
  async end(): Promise<void> {
    this.status = 'failed';
  }

  async finishStep(run: Run, finished: FinishedStep): Promise<void> {
    const { incidentId, joined } = finished.result;
    run.nextStep++;
    run.previousDoneAt = new Date(this.simulation.now);
    run.incidentId = incidentId ?? run.incidentId;
    run.joined ||= joined;
    if (finished.failsRun) this.status = 'failed';
    else if (this.isAtEnd) this.status = 'completed';
    this.steps.push(plannedStep(finished, iso(this.simulation.now), this.noun, this.stepIncident));
    this.stepIncident = noIncident;
  }

  /** Executes the command in the same way as the pipeline. The present step is the cause of the events. */
  async changeAlerting(command: WorkflowCommand): Promise<WorkflowCommandReply> {
    const { simulation, run } = this;
    const step = run.steps[run.nextStep] as WorkflowStep;
    const { reply, events, stepIncident } = await executed(simulation, command);
    for (const event of events) simulation.addEvent(this.itemIndex, event, causeOf(event, run, step));
    this.stepIncident = stepIncident;
    return reply;
  }

  private get noun(): 'alert' | 'incident' {
    return this.run.alertId === null ? 'incident' : 'alert';
  }

  // --- Steps that are not reached ------------------------------------------------------------------------------------

  /** A step before them failed, or waits for an alert that does not fire again in the simulation. */
  async planRemainingSteps(): Promise<void> {
    const { run, status } = this;
    if (status === 'cut') return;
    let due = run.previousDoneAt.getTime();
    for (const step of run.steps.slice(this.steps.length)) {
      due += step.delaySeconds * 1000;
      this.steps.push(status === 'failed' ? this.skipped(step, iso(due)) : await this.waiting(step, iso(due)));
    }
  }

  private skipped(step: WorkflowStep, at: string): PlannedStep {
    const result = { outcome: 'skipped', reason: 'a step before it failed', detail: null } as const;
    return plannedStep({ step, prepared: null, result }, at, this.noun);
  }

  private async waiting(step: WorkflowStep, at: string): Promise<PlannedStep> {
    const result = { outcome: 'pending', reason: 'it waits until the alert fires again', detail: null } as const;
    const prepared = await prepareStep(this, this.run, step, at);
    const request = prepared.kind === 'change' && prepared.body.kind === 'openIncident' ? prepared.body.page : null;
    const { paging } = this.simulation.records;
    const page = request ? await plannedPage(paging, this.run, request, { pages: [], at }) : null;
    return plannedStep({ step, prepared, result }, at, this.noun, { ...noIncident, page });
  }
}

function causeOf({ cause }: AlertingEvent, run: Run, step: WorkflowStep): SimulatedCause {
  const type = cause.type === 'alert' || cause.type === 'incident' ? cause.type : 'workflow';
  return { type, workflowId: publicId('workflow', run.workflowId), workflowName: run.workflowName, stepId: step.id };
}
