/**
 * Processes a message of domain events. It wakes the runs that wait for them, begins the runs that they trigger, and
 * records in the transaction of the latter that the message was processed. A message that was processed before changes
 * nothing. Events that are too much work for one organization are stored, and begin their runs later
 * (waiting-events.ts).
 */
import { isUuid, newUuid, uuidOf } from '@ams/contracts';
import { Database, isMessageFault, MalformedMessage, type Tx } from '@ams/database';
import { AverageCosts, fewWeight, RecentWork, storable } from '@ams/domain';
import { OrganizationActivity } from '@ams/messaging';
import { environments } from '@ams/scopes';
import { Logger, Metrics } from '@ams/service';
import { processTogether } from '@ams/tracing';
import { Injectable } from '@nestjs/common';
import { beginRuns, beginWorkflows, type Begun, type BeginOptions } from './begin-runs.js';
import { addWaitingEvents, behindOthers, costlyBesideOthers } from './event-lanes.js';
import { SubjectsMissing } from './subjects-missing.js';
import type { DomainEvent } from './condition-facts.js';
import { spanOfProcessed } from './event-span.js';
import { wakeRuns } from './wake-runs.js';

/** A message of the stream. */
export interface EventMessage {
  subject: string;
  seq: number;
  string(): string;
}

export interface ProcessOptions extends Pick<BeginOptions, 'onlyOlderWorkflows'> {
  /** When the stream was created, as NATS writes it. With `seq` it identifies the message. */
  streamCreated: string;
  /**
   * Whether each event has a transaction of its own when processing them together fails, whatever the error: it has
   * failed several times. Otherwise only an event that is at fault is searched.
   */
  aloneAfterFailure?: boolean;
}

/** What could not be processed: an event of a message, or a message without events. */
export interface Unusable {
  event: Partial<DomainEvent> | null;
  error: unknown;
}

/**
 * The alert of an event may be lost with the data of the database. It exists again when the pipeline has applied its
 * events again. Its event waits this long for it.
 */
export const subjectWaitMs = 60_000;

@Injectable()
export class EventProcessor {
  private readonly decisions;
  private readonly setAsideEvents;
  /** What an event of an organization costs. */
  readonly costs = new AverageCosts(1);
  /** What the events of an organization cost lately. One whose events cost no more than this has little work. */
  readonly work = new RecentWork(fewWeight);
  /** When this replica last stored events that wait. Monotonic clock. */
  storedWaitingAt = -Infinity;
  /** When the alert of an event of a message was first missing, by stream and sequence. Monotonic clock. */
  private readonly waiting = new Map<string, number>();

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    private readonly activity: OrganizationActivity,
    metrics: Metrics,
  ) {
    this.decisions = metrics.counter(
      'ams_workflow_decisions_total',
      'Decisions about workflows that an event could trigger.',
      ['outcome'],
    );
    this.setAsideEvents = metrics.counter(
      'ams_workflow_set_aside_total',
      'Events that could not be processed and were set aside. They trigger no workflow until they are replayed.',
    );
  }

  /**
   * Sets aside only what is at fault and has failed alone. Throws `SubjectsMissing` while the alert or the incident of
   * an event is missing, and any other error: the message must be processed again.
   */
  async process(
    message: EventMessage,
    { streamCreated, aloneAfterFailure = false, ...more }: ProcessOptions,
  ): Promise<void> {
    const { seq } = message;
    // A stream that was created again has the same sequences.
    const key = `${streamCreated} ${seq}`;
    const { events, unusable } = readEvents(message);
    const options = {
      ...more,
      withoutSubjects: performance.now() - (this.waiting.get(key) ?? Infinity) > subjectWaitMs,
    };
    const record = (tx: Tx | Database): Promise<unknown> => recordProcessed(tx, streamCreated, seq);
    const isDone =
      unusable.length === 0 &&
      (await this.beginTogether([message], events, options, record).catch((error: unknown) => {
        if (!aloneAfterFailure) throw error;
        this.log.warn({ err: error, sequence: seq }, 'events could not be processed together; trying each alone');
        return false;
      }));
    if (!isDone) {
      let missing = 0;
      for (const event of events) if (!(await this.beginAlone(message, event, options))) missing++;
      for (const one of unusable) await this.setAside(message, one);
      if (missing > 0) {
        this.noteWaiting(key);
        throw new SubjectsMissing(missing);
      }
      await record(this.database);
    }
    this.waiting.delete(key);
    if (options.withoutSubjects)
      this.log.error(
        { sequence: seq },
        'the database has lost an alert or an incident, and runs have begun without it',
      );
  }

  /**
   * Processes several messages in one transaction. False, without an effect, when one of them needs to be processed
   * alone.
   */
  async processTogether(messages: readonly EventMessage[], streamCreated: string): Promise<boolean> {
    const read = messages.map(readEvents);
    if (messages.length === 0 || read.some(({ unusable }) => unusable.length > 0)) return false;
    const events = read.flatMap((one) => one.events);
    return this.beginTogether(messages, events, {}, (tx) =>
      recordProcessed(tx, streamCreated, ...messages.map(({ seq }) => seq)),
    );
  }

  /** Another replica may process the message in the end: old entries are deleted. */
  private noteWaiting(key: string): void {
    const now = performance.now();
    if (!this.waiting.has(key)) this.waiting.set(key, now);
    for (const [other, since] of this.waiting) if (now - since > 10 * subjectWaitMs) this.waiting.delete(other);
  }

  /** False when an event is at fault, or the alert or the incident of one is missing. */
  private async beginTogether(
    messages: readonly EventMessage[],
    events: DomainEvent[],
    options: BeginOptions,
    record: (tx: Tx) => Promise<unknown>,
  ): Promise<boolean> {
    try {
      await this.begin(events, options, record);
      return true;
    } catch (error) {
      if (error instanceof SubjectsMissing) return false;
      if (!isMessageFault(error)) throw error;
      this.log.warn({ err: error, sequence: messages[0]?.seq }, 'events could not be processed; trying each alone');
      return false;
    }
  }

  /** False when the alert or the incident of the event is missing. */
  private async beginAlone(message: EventMessage, event: DomainEvent, options: BeginOptions): Promise<boolean> {
    try {
      await this.begin([event], options);
    } catch (error) {
      if (error instanceof SubjectsMissing) return false;
      if (!isMessageFault(error)) throw error;
      await this.setAside(message, { event, error });
    }
    return true;
  }

  private async begin(
    events: DomainEvent[],
    options: BeginOptions,
    also?: (tx: Tx) => Promise<unknown>,
  ): Promise<void> {
    for (const { organizationId } of events) this.activity.note(organizationId, performance.now());
    await wakeRuns(this.database, events);
    const begun = await traced(events, (all) =>
      this.database.asService(async (tx) => {
        const behind = new Set([...(await behindOthers(tx, all)), ...costlyBesideOthers(all, this)]);
        const shares = { behind, costs: this.costs, work: this.work };
        const inTurn = await beginRuns(tx, all, { ...options, shares });
        await addWaitingEvents(tx, inTurn.later);
        await also?.(tx);
        return inTurn;
      }),
    );
    if (begun.later.length > 0) this.storedWaitingAt = performance.now();
    this.count(begun);
  }

  /** Begins the runs of events that have waited, within the share of their organization. */
  beginWaiting(tx: Tx, events: readonly DomainEvent[], options: BeginOptions): Promise<Begun> {
    const shares = { behind: new Set<string>(), costs: this.costs, work: this.work };
    return traced(events, (all) => beginWorkflows(tx, all, { ...options, shares, inOwnTurn: true }));
  }

  /** To be called when the transaction is committed. */
  count({ decisions }: Begun): void {
    for (const { outcome } of decisions) this.decisions.inc({ outcome });
  }

  /** An event that was replayed and fails again is stored again. */
  async setAside(message: EventMessage, { event, error }: Unusable): Promise<void> {
    const id = (typeof event?.id === 'string' && uuidOf('timelineEntry', event.id)) || newUuid();
    const environment = event?.environment;
    this.log.error({ err: error, sequence: message.seq, eventId: event?.id }, 'a message was set aside');
    await this.database.query(
      `INSERT INTO workflows.set_aside
         (id, subject, stream_sequence, organization_id, environment, payload, error, tries)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
       ON CONFLICT (id) DO UPDATE SET replayed_at = NULL, error = excluded.error, tries = set_aside.tries + 1`,
      [
        id,
        message.subject,
        message.seq,
        isUuid(event?.organizationId) ? event?.organizationId : null,
        environment !== undefined && environments.includes(environment) ? environment : null,
        storable(event ? JSON.stringify({ events: [event] }) : message.string()),
        storable(String(error)).slice(0, 2000),
        1,
      ],
    );
    this.setAsideEvents.inc();
  }
}

const traced = <T>(events: readonly DomainEvent[], work: (events: readonly DomainEvent[]) => Promise<T>): Promise<T> =>
  processTogether(events, (event) => spanOfProcessed(event, events.length), work);

export const recordProcessed = (
  queries: Tx | Database,
  streamCreated: string,
  ...sequences: number[]
): Promise<unknown> =>
  queries.query(
    `INSERT INTO workflows.processed_messages (stream_created, sequence)
     SELECT $1, s FROM unnest($2::bigint[]) AS s ORDER BY s ON CONFLICT DO NOTHING`,
    [streamCreated, sequences],
  );

const isEvent = (event: Partial<DomainEvent> | null): event is DomainEvent =>
  typeof event?.id === 'string' && uuidOf('timelineEntry', event.id) !== null;

/** The events of a message, and the parts of it that are no events. */
function readEvents(message: EventMessage): { events: DomainEvent[]; unusable: Unusable[] } {
  try {
    const { events } = JSON.parse(message.string()) as { events?: (Partial<DomainEvent> | null)[] };
    if (Array.isArray(events)) {
      const error = new MalformedMessage('the event has no id');
      return {
        events: events.filter(isEvent),
        unusable: events.filter((event) => !isEvent(event)).map((event) => ({ event, error })),
      };
    }
  } catch {
    // it is not JSON
  }
  return { events: [], unusable: [{ event: null, error: new MalformedMessage('the message holds no events') }] };
}
