/**
 * Begins the runs of the events that wait for a turn of their organization. Organizations take turns, and within a turn
 * the lanes of one take turns. When others had events lately, an organization rests after a turn for twice as long as
 * it took, and it begins no runs while many of its jobs wait: so it leaves most of the engine to others, also when its
 * own work has no end.
 *
 * A turn is one transaction, which deletes the events that it begins. Two replicas never have a turn of one
 * organization at the same time.
 */
import {
  alertEventsSubject,
  incidentEventsSubject,
  scheduleEventsSubject,
  suppressionEventsSubject,
} from '@ams/contracts';
import { Database, isMessageFault, pauseAfter, type Tx } from '@ams/database';
import { OrganizationActivity, WorkClock } from '@ams/messaging';
import { Liveness, Logger, Rounds } from '@ams/service';
import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { jobSchema } from '../jobs/jobs.js';
import { restForEach } from '../jobs/rests.js';
import type { Begun } from './begin-runs.js';
import type { DomainEvent } from './condition-facts.js';
import { lanesOfOrganization, weightOf } from './event-lanes.js';
import { EventProcessor, subjectWaitMs, type EventMessage } from './event-processor.js';
import { SubjectsMissing } from './subjects-missing.js';

const everyMs = 50;
/** How often a replica looks that has stored no events and knows of none: those of other replicas may wait. */
const idleMs = 1000;
/** The events that are tried one by one, so that others begin beside one that is at fault or has lost its alert. */
const mostAlone = 64;
/** An organization with so many jobs that are due begins no runs. */
const mostDueJobs = 50;

interface WaitingEvent {
  id: string;
  payload: string;
  /** For so many milliseconds, by the clock of the database. */
  waitsMs: number;
}

interface Organization {
  /** Monotonic clock. */
  restsUntil: number;
  failures: number;
}

@Injectable()
export class WaitingEvents implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly clock = new WorkClock();
  /** Of the organizations with events that wait. */
  private readonly organizations = new Map<string, Organization>();
  private readonly rounds: Rounds;
  /** Monotonic clock. */
  private lookedAt = -Infinity;

  constructor(
    private readonly log: Logger,
    private readonly database: Database,
    private readonly processor: EventProcessor,
    private readonly activity: OrganizationActivity,
    liveness: Liveness,
  ) {
    liveness.watch('waiting events', () => [this.clock]);
    this.rounds = new Rounds({
      everyMs,
      work: async () => {
        const isMore = await this.round();
        this.clock.progressed();
        return isMore;
      },
      onError: (error) => {
        this.clock.attempted();
        log.warn({ err: error }, 'the events that wait for their turn could not be read; trying again');
      },
    });
  }

  onApplicationBootstrap(): void {
    this.rounds.start();
  }

  async beforeApplicationShutdown(): Promise<void> {
    await this.rounds.stop();
  }

  /** True when an organization has begun runs and needs no rest. */
  private async round(): Promise<boolean> {
    let isMore = false;
    const now = performance.now();
    const isExpected = this.organizations.size > 0 || this.processor.storedWaitingAt > this.lookedAt;
    if (!isExpected && now - this.lookedAt < idleMs) return false;
    const waiting = await this.waitingOrganizations();
    this.lookedAt = now;
    const isWaiting = new Set(waiting);
    for (const id of this.organizations.keys()) if (!isWaiting.has(id)) this.organizations.delete(id);
    for (const id of waiting) {
      const organization = this.organizations.get(id) ?? { restsUntil: 0, failures: 0 };
      this.organizations.set(id, organization);
      if (this.rounds.isStopped) return false;
      const begun = performance.now();
      if (organization.restsUntil > begun) continue;
      try {
        const hasBegun = await this.turnOf(id);
        const done = performance.now();
        organization.failures = 0;
        const isAlone = waiting.length === 1 && !this.activity.isAnyBeside(id, done);
        if (isAlone) isMore = hasBegun;
        else organization.restsUntil = done + restForEach(this.database, id, 'rest') * (done - begun);
        this.clock.progressed();
      } catch (error) {
        organization.restsUntil = performance.now() + pauseAfter(++organization.failures);
        this.log.warn({ err: error, organizationId: id }, 'events that wait could not be processed; trying again');
      }
    }
    return isMore;
  }

  /** One after another by the index, because an organization may have very many events. */
  private async waitingOrganizations(): Promise<string[]> {
    const rows = await this.database.query<{ id: string }>(
      `WITH RECURSIVE waiting (id) AS (
         (SELECT organization_id FROM workflows.waiting_events ORDER BY organization_id LIMIT 1)
         UNION ALL
         SELECT (SELECT organization_id FROM workflows.waiting_events w WHERE w.organization_id > waiting.id
           ORDER BY organization_id LIMIT 1) FROM waiting WHERE waiting.id IS NOT NULL
       ) SELECT id FROM waiting WHERE id IS NOT NULL`,
    );
    return rows.map(({ id }) => id);
  }

  /** False when it could not have its turn now. */
  private async turnOf(organizationId: string): Promise<boolean> {
    const begun = await this.inTurn(organizationId, async (tx) => {
      const { costs, work } = this.processor;
      const withinShare = Math.floor(weightOf(work, organizationId) / costs.of(organizationId));
      return this.begin(tx, await nextEvents(tx, organizationId, Math.max(1, withinShare)));
    }).catch((error: unknown) => {
      if (!(error instanceof SubjectsMissing) && !isMessageFault(error)) throw error;
      this.log.warn({ err: error, organizationId }, 'events that wait could not be processed; trying each alone');
      return 'failed' as const;
    });
    if (begun === 'failed') await this.eachAlone(organizationId);
    else if (begun) this.processor.count(begun);
    return begun !== null;
  }

  /** Null, without an effect, when another replica has a turn of the organization, or its jobs wait. */
  private inTurn<T>(organizationId: string, work: (tx: Tx) => Promise<T>): Promise<T | null> {
    return this.database.asService(async (tx) => {
      const [turn] = await tx.query<{ isFree: boolean; dueJobs: number }>(
        `SELECT pg_try_advisory_xact_lock(hashtextextended('waiting events ' || $1, 0)) AS "isFree",
           (SELECT count(*)::int FROM (SELECT FROM ${jobSchema}._private_jobs w
              WHERE (w.payload->'share'->>'organization') = $1 AND w.is_available AND w.run_at <= clock_timestamp()
              LIMIT ${mostDueJobs}) AS due) AS "dueJobs"`,
        [organizationId],
      );
      return turn?.isFree && turn.dueJobs < mostDueJobs ? work(tx) : null;
    });
  }

  private async begin(tx: Tx, waiting: readonly WaitingEvent[], withoutSubjects = false): Promise<Begun> {
    const events = waiting.map(({ payload }) => JSON.parse(payload) as DomainEvent);
    const begun = await this.processor.beginWaiting(tx, events, { withoutSubjects });
    const later = new Set(begun.later.map(({ id }) => id));
    const done = waiting.filter((_one, index) => !later.has(events[index]?.id ?? '')).map(({ id }) => id);
    await tx.query('DELETE FROM workflows.waiting_events WHERE id = ANY($1::uuid[])', [done]);
    return begun;
  }

  /**
   * An event that is at fault is set aside. Throws `SubjectsMissing` while the alert or the incident of one is missing.
   */
  private async eachAlone(organizationId: string): Promise<void> {
    const waiting = await this.database.asService((tx) => nextEvents(tx, organizationId, mostAlone));
    let missing = 0;
    for (const one of waiting) {
      if (this.rounds.isStopped) return;
      try {
        const begun = await this.inTurn(organizationId, (tx) => this.begin(tx, [one]));
        if (begun === null) return; // no turn now: what comes after it must not overtake
        this.processor.count(begun);
      } catch (error) {
        if (error instanceof SubjectsMissing) {
          if (!(await this.isBegunWithoutSubjects(organizationId, one))) missing++;
          continue;
        }
        if (!isMessageFault(error)) throw error;
        const event = JSON.parse(one.payload) as DomainEvent;
        await this.processor.setAside(messageOf(event), { event, error });
        await this.database.query('DELETE FROM workflows.waiting_events WHERE id = $1', [one.id]);
      }
    }
    if (missing > 0) throw new SubjectsMissing(missing);
  }

  /** The alert or the incident of the event is missing. False while the event is to wait for it. */
  private async isBegunWithoutSubjects(organizationId: string, one: WaitingEvent): Promise<boolean> {
    if (one.waitsMs <= subjectWaitMs) return false;
    const begun = await this.inTurn(organizationId, (tx) => this.begin(tx, [one], true));
    if (begun === null) return false;
    this.processor.count(begun);
    this.log.error(
      { eventId: one.id, organizationId },
      'the database has lost an alert or an incident, and runs have begun without it',
    );
    return true;
  }
}

/** The first events of each lane before the second ones. */
const nextEvents = (tx: Tx, organizationId: string, most: number): Promise<WaitingEvent[]> =>
  tx.query<WaitingEvent>(
    `WITH next AS (
       SELECT e.position, e.nth FROM generate_series(0, ${lanesOfOrganization - 1}) AS lane CROSS JOIN LATERAL (
         SELECT w.position, row_number() OVER (ORDER BY w.position) AS nth FROM workflows.waiting_events w
         WHERE w.organization_id = $1 AND w.lane = lane.lane ORDER BY w.position LIMIT $2) AS e
       ORDER BY e.nth, e.position LIMIT $2)
     SELECT w.id, w.payload, extract(epoch FROM clock_timestamp() - w.created_at)::float8 * 1000 AS "waitsMs"
     FROM next JOIN workflows.waiting_events w USING (position)
     WHERE w.organization_id = $1 ORDER BY next.nth, position`,
    [organizationId, most],
  );

/** What a replay publishes. */
const messageOf = (event: DomainEvent): EventMessage => ({
  subject: subjectOf(event),
  seq: 0,
  string: () => JSON.stringify({ events: [event] }),
});

function subjectOf(event: DomainEvent): string {
  if ('alert' in event) return alertEventsSubject(0);
  if ('incident' in event) return incidentEventsSubject;
  return 'schedule' in event ? scheduleEventsSubject : suppressionEventsSubject;
}
