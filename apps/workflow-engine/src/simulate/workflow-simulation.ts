/**
 * Simulates workflows: events begin runs, the runs do their steps, and their changes are events again, up to the limit
 * of depth. The decisions are those of the real path (`decideWorkflows`, `runStep`, `executeCommand`). Time is
 * imagined: it advances from one due step to the next. Where the real path does several things at the same time, they
 * are done one after another here: first all events, then the due steps of one run.
 */
import { recipientReads, type RecipientReads, type Run } from '@ams/alerting';
import {
  newUuid,
  publicId,
  uuidOf,
  type Alert,
  type PlannedStep,
  type SimulatedCatchAll,
  type SimulatedCause,
  type SimulatedFollow,
  type SimulatedWorkflow,
  type Tenant,
} from '@ams/contracts';
import { type Tx } from '@ams/database';
import { SharedBudgets, workflowEvents, type RanBefore, type WorkflowEvent } from '@ams/domain';
import { evaluationTurns } from '@ams/service';
import { wakesRuns } from '../runs/wake-runs.js';
import {
  alertOf,
  incidentOf,
  relatedRecordsOf,
  type AlertingEvent,
  type RelatedRecords,
} from '../runs/condition-facts.js';
import type { WorkflowDecision } from '../runs/event-decision.entity.js';
import { comparesAlerts } from '../runs/incident-alerts.js';
import {
  CausedRuns,
  decideWorkflows,
  ranBefore,
  ranKey,
  rootOf,
  tenantKey,
  timelineIdOf,
  workflowsFor,
  type Workflow,
} from '../runs/workflows.js';
import type { ImaginedRecords } from './imagined-records.js';
import { plannedCatchAll } from './planned-catch-all.js';
import { SimulatedRun, type SimulationState } from './simulated-run.js';

/** The limits are higher than real workflows need, and low enough for a quick answer. */
const maxEvents = 200;
const maxSteps = 2000;

/** An event, and what follows from it. */
export interface SimulatedEvent {
  /** The item of the payload from which it follows. */
  itemIndex: number;
  event: AlertingEvent;
  /** Null for the direct effects of an item. */
  cause: SimulatedCause | null;
  workflows: { decision: WorkflowDecision; run: SimulatedRun | null }[];
  /** Null for an event of an incident. */
  catchAll: SimulatedCatchAll | null;
}

/** The values with which a run begins. */
interface RunBeginning {
  id: string;
  eventId: string;
  eventType: WorkflowEvent;
  occurredAt: Date;
  depth: number;
  rootEventId: string | null;
  alertId: string | null;
  incidentId: string | null;
}

export class WorkflowSimulation implements SimulationState {
  readonly events: SimulatedEvent[] = [];
  readonly recipients: RecipientReads;
  private readonly pending: SimulatedEvent[] = [];
  private readonly runs: SimulatedRun[] = [];
  private readonly unfinished = new Set<SimulatedRun>();
  private readonly workflows = new Map<string, Workflow[]>();
  private readonly budgets = new SharedBudgets();
  private readonly causedRuns = new CausedRuns();
  private stepCount = 0;
  private isCut = false;

  constructor(
    private readonly tx: Tx,
    private readonly tenant: Tenant,
    readonly records: ImaginedRecords,
    public now: number,
  ) {
    this.recipients = remembered(recipientReads(tx));
  }

  /** Whether the limits left anything out. */
  get leftOut(): boolean {
    return this.isCut || this.records.leftOut;
  }

  /** Events that are no trigger of any workflow are ignored. */
  addEvent(itemIndex: number, event: AlertingEvent, cause: SimulatedCause | null): void {
    if (!workflowEvents.includes(event.type as WorkflowEvent)) return;
    if (this.events.length >= maxEvents) {
      this.isCut = true;
      return;
    }
    const added = { itemIndex, event, cause, workflows: [], catchAll: null };
    this.events.push(added);
    this.pending.push(added);
  }

  /** Follows all events to the end. */
  async follow(): Promise<void> {
    for (;;) {
      const event = this.pending.shift();
      if (event) await this.beginRuns(event);
      else {
        const next = this.nextRun();
        if (!next) break;
        await this.advance(next);
      }
    }
    for (const run of this.runs) await run.planRemainingSteps();
  }

  /** Simulates the steps of one workflow alone, without other workflows. */
  async tryWorkflow(
    workflow: Workflow,
    subject: Pick<RunBeginning, 'eventType' | 'alertId' | 'incidentId'>,
  ): Promise<PlannedStep[]> {
    const id = newUuid();
    const run = this.begin(0, workflow, {
      id,
      eventId: id,
      occurredAt: new Date(this.now),
      depth: 0,
      rootEventId: null,
      ...subject,
    });
    while (run.status === null && Number.isFinite(run.dueAt)) await this.advance(run);
    await run.planRemainingSteps();
    return run.steps;
  }

  private nextRun(): SimulatedRun | undefined {
    let first: SimulatedRun | undefined;
    for (const run of this.unfinished) if (run.dueAt < (first?.dueAt ?? Number.POSITIVE_INFINITY)) first = run;
    return first;
  }

  /** Does the steps of the run that are due next. */
  private async advance(run: SimulatedRun): Promise<void> {
    this.now = Math.max(this.now, run.dueAt);
    do {
      if (!run.isAtEnd && ++this.stepCount > maxSteps) {
        this.isCut = true;
        run.status = 'cut';
        break;
      }
    } while ((await run.runStep()) === 'more');
    if (run.status !== null) this.unfinished.delete(run);
  }

  // --- Events ------------------------------------------------------------------------------------------------------

  private async beginRuns(simulated: SimulatedEvent): Promise<void> {
    const { event, itemIndex, workflows } = simulated;
    if (wakesRuns(event)) this.wake(event);
    const [workflowsOfEvent, ran] = [await this.workflowsFor(event), await this.ranBefore(event)];
    const related = await this.relatedRecordsOf(event);
    const { decisions, runs, alertId, incidentId } = await evaluationTurns.run(
      { organizationId: this.tenant.organizationId, record: 'simulation' },
      decideWorkflows(event, workflowsOfEvent, ran, related, new Date(this.now), this.causedRuns, this.budgets),
    );
    const { depth } = event;
    const rootEventId = depth > 0 ? rootOf(event) : null;
    const eventType = event.type as WorkflowEvent;
    const occurredAt = new Date(event.occurredAt);
    const beginning = { eventId: timelineIdOf(event), eventType, occurredAt, depth, rootEventId, alertId, incidentId };
    for (const decision of decisions) {
      const begun = runs.find(({ id }) => id === decision.runId);
      const run = begun ? this.begin(itemIndex, begun.workflow, { id: begun.id, ...beginning }) : null;
      workflows.push({ decision, run });
    }
    const { shown, events } = await plannedCatchAll(this, event, runs.length);
    simulated.catchAll = shown;
    for (const caused of events) this.addEvent(itemIndex, caused, catchAllCause);
  }

  private begin(itemIndex: number, { id: workflowId, name, steps }: Workflow, beginning: RunBeginning): SimulatedRun {
    const { organizationId, environment } = this.tenant;
    const run: Run = {
      ...beginning,
      organizationId,
      environment,
      workflowId,
      workflowName: name,
      subjectId: null,
      steps,
      nextStep: 0,
      joined: false,
      previousDoneAt: new Date(this.now),
    };
    const simulated = new SimulatedRun(this, itemIndex, run);
    this.runs.push(simulated);
    this.unfinished.add(simulated);
    return simulated;
  }

  private async workflowsFor(event: AlertingEvent): Promise<Workflow[]> {
    const known = this.workflows.get(event.type);
    if (known) return known;
    const found = (await workflowsFor(this.tx, [event])).get(tenantKey(event)) ?? [];
    this.workflows.set(event.type, found);
    return found;
  }

  private async ranBefore(event: AlertingEvent): Promise<Map<string, RanBefore>> {
    const ran = await ranBefore(this.tx, [event]);
    if (event.type !== 'alert.resumed') return ran;
    const alertId = uuidOf('alert', alertOf(event)?.id ?? '');
    for (const { run, status } of this.runs) {
      const key = ranKey(run.workflowId, run.alertId);
      if (run.alertId === alertId && ran.get(key) !== 'waiting') ran.set(key, status === null ? 'waiting' : 'done');
    }
    return ran;
  }

  private async relatedRecordsOf(event: AlertingEvent): Promise<RelatedRecords> {
    const incident = incidentOf(event);
    const alerts = new Map<string, Alert[]>();
    if (incident && comparesAlerts(event, await this.workflowsFor(event)))
      alerts.set(incident.id, await this.records.comparedAlertsOf(uuidOf('incident', incident.id) as string));
    const related = await relatedRecordsOf(this.tx, [event], alerts);
    return { ...related, incidents: new Map([...related.incidents, ...this.records.incidentsNow()]) };
  }

  private wake(event: AlertingEvent): void {
    const alertId = uuidOf('alert', alertOf(event)?.id ?? '');
    const incidentId = uuidOf('incident', incidentOf(event)?.id ?? '');
    const concerns = ({ run }: SimulatedRun): boolean =>
      (alertId !== null && run.alertId === alertId) || (incidentId !== null && run.incidentId === incidentId);
    for (const run of this.unfinished) if (concerns(run)) run.dueAt = this.now;
  }
}

const catchAllCause: SimulatedCause = { type: 'catchAll', workflowId: null, workflowName: null, stepId: null };

/** Reads each value once: many runs notify the same people at the same time. */
function remembered(reads: RecipientReads): RecipientReads {
  const known = new Map<string, Promise<unknown>>();
  const once = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const found = known.get(key) ?? read();
    known.set(key, found);
    return found as Promise<T>;
  };
  return {
    member: (tenant, memberId) => once(`member ${memberId}`, () => reads.member(tenant, memberId)),
    onCall: (tenant, scheduleId, which, at) =>
      once(`${which} ${scheduleId} ${at}`, () => reads.onCall(tenant, scheduleId, which, at)),
    mailFacts: (tenant, addresses) => once(`mail ${addresses.join(' ')}`, () => reads.mailFacts(tenant, addresses)),
  };
}

// --- As the answer shows it ----------------------------------------------------------------------------------------

export const shownWorkflows = ({ event, workflows }: SimulatedEvent): SimulatedWorkflow[] =>
  workflows.map(({ decision: { workflowId, name, version, outcome, trace }, run }) => ({
    workflowId: publicId('workflow', workflowId),
    name,
    version,
    event: event.type as WorkflowEvent,
    outcome,
    trace,
    steps: run?.steps ?? [],
    depth: event.depth,
    runStatus: run && run.status !== 'cut' ? (run.status ?? 'waiting') : null,
  }));

export function shownFollow(
  simulated: SimulatedEvent & { cause: SimulatedCause },
  records: ImaginedRecords,
): SimulatedFollow {
  const { event, cause } = simulated;
  const alert = alertOf(event);
  const incident = incidentOf(event);
  const isIncidentMade = records.isMade(uuidOf('incident', incident?.id ?? ''));
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
      id: isIncidentMade ? null : incident.id,
      number: isIncidentMade ? null : incident.number,
      title: incident.title,
      status: incident.status,
    },
    changes: event.changes,
    workflows: shownWorkflows(simulated),
    catchAll: simulated.catchAll,
  };
}
