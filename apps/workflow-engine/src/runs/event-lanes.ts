/**
 * Which events of a batch begin their runs now, and which wait in `workflows.waiting_events` for a turn of their
 * organization (waiting-events.ts). The events of one alert are in one lane, so they stay in their order.
 */
import type { Tx } from '@ams/database';
import {
  fewWeight,
  mostWeight,
  partitionOf,
  storable,
  withinShares,
  type AverageCosts,
  type BatchWork,
  type RecentWork,
} from '@ams/domain';
import { alertOf, type DomainEvent } from './condition-facts.js';
import { timelineIdOf } from './workflows.js';

/** Teams take turns, so that a storm of one team does not delay the pages of another. */
export const lanesOfOrganization = 64;

/** The lane of its team, which the label `team` of the alert names. */
export const laneOf = (event: DomainEvent): number =>
  partitionOf(event.organizationId, event.environment, alertOf(event)?.labels['team'] ?? '', lanesOfOrganization);

/** The ids of the events whose lane has others that wait. */
export async function behindOthers(tx: Tx, events: readonly DomainEvent[]): Promise<ReadonlySet<string>> {
  const rows = await tx.query<{ id: string }>(
    `SELECT e.id FROM json_to_recordset($1::json) AS e(id text, organization uuid, lane smallint)
     WHERE EXISTS (SELECT FROM workflows.waiting_events w
       WHERE w.organization_id = e.organization AND w.lane = e.lane)`,
    [
      JSON.stringify(
        events.map((event) => ({ id: event.id, organization: event.organizationId, lane: laneOf(event) })),
      ),
    ],
  );
  return new Set(rows.map(({ id }) => id));
}

/** An event that costs more than others in the same transaction should wait for. */
const muchForOne = 3;

/**
 * The ids of the costly events of organizations that have much more work than others. They wait for a turn of their
 * own: otherwise each transaction with events of others would have one of them.
 */
export function costlyBesideOthers(
  events: readonly DomainEvent[],
  { costs, work }: Pick<EventShares, 'costs' | 'work'>,
): ReadonlySet<string> {
  const isCostly = ({ organizationId }: DomainEvent): boolean =>
    costs.of(organizationId) > muchForOne && work.hasMuchBesideLittle(organizationId, performance.now());
  return new Set(events.filter(isCostly).map(({ id }) => id));
}

export interface EventShares {
  /** The ids of the events that are behind others. */
  behind: ReadonlySet<string>;
  /** What an event costs, in about a millisecond: `costOf`. */
  costs: AverageCosts;
  /** What the events of each organization cost lately. */
  work: RecentWork;
}

/** What the events of the organization in a batch may cost. */
export const weightOf = (work: RecentWork, organization: string): number =>
  work.hasMuchBesideLittle(organization, performance.now()) ? fewWeight : mostWeight;

/** What events cost that took this long to decide about, and that began this many runs. */
export const costOf = (decidingMs: number, runs: number): number => decidingMs + runs;

interface EventWork extends BatchWork {
  event: DomainEvent;
}

/** Those whose expected costs are within the shares of their organizations. */
export function eventsWithinShares(
  events: readonly DomainEvent[],
  { behind, costs, work }: EventShares,
): { now: DomainEvent[]; later: DomainEvent[] } {
  const works = events.map((event): EventWork => ({
    event,
    organization: event.organizationId,
    lane: laneOf(event),
    weight: costs.of(event.organizationId),
    isBehind: behind.has(event.id),
  }));
  const { now, later } = withinShares(works, (organization) => weightOf(work, organization));
  return { now: now.map(({ event }) => event), later: later.map(({ event }) => event) };
}

/**
 * How much of the shares is used up while events are decided about, one after another: what an event begins is only
 * known then. It may be much more than events of its organization cost lately.
 */
export class UsedShares {
  private readonly used = new Map<string, number>();
  private readonly waiting = new Set<string>();

  /** Without shares nothing is limited. */
  constructor(private readonly shares: EventShares | undefined) {}

  /** Whether the event is decided about now. What comes after one that is not, of its organization, waits too. */
  hasRoomFor({ organizationId }: DomainEvent): boolean {
    if (!this.shares) return true;
    const used = this.used.get(organizationId) ?? 0;
    if (used >= weightOf(this.shares.work, organizationId)) this.waiting.add(organizationId);
    return !this.waiting.has(organizationId);
  }

  note({ organizationId }: DomainEvent, cost: number): void {
    if (!this.shares) return;
    this.used.set(organizationId, (this.used.get(organizationId) ?? 0) + cost);
    this.shares.costs.note(organizationId, cost, 1);
    this.shares.work.note(organizationId, cost, performance.now());
  }
}

export async function addWaitingEvents(tx: Tx, events: readonly DomainEvent[]): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({
    id: timelineIdOf(event),
    organization_id: event.organizationId,
    environment: event.environment,
    lane: laneOf(event),
    payload: storable(JSON.stringify(event)),
  }));
  // In the order of the batch, which `position` keeps.
  await tx.query(
    `INSERT INTO workflows.waiting_events (id, organization_id, environment, lane, payload)
     SELECT id, organization_id, environment, lane, payload FROM ROWS FROM (json_to_recordset($1::json)
       AS (id uuid, organization_id uuid, environment text, lane smallint, payload text)) WITH ORDINALITY
       AS e(id, organization_id, environment, lane, payload, place)
     ORDER BY place ON CONFLICT (id) DO NOTHING`,
    [JSON.stringify(rows)],
  );
}
