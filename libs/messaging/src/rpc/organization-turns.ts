/**
 * The requests of one organization that a replica handles at the same time are few; the next ones wait in a queue of
 * their organization. So an organization whose requests take long waits for itself, and leaves connections, database
 * and event loop to others. While others are active it also leaves processors idle: its places are fewer, and when its
 * requests have taken much time lately, the next one begins after a rest.
 */
import { SpentTime } from '@ams/domain';
import type { OrganizationActivity } from '../organization-activity.js';

interface Waiting {
  until: number;
  start: (isInTime: boolean) => void;
}

interface Organization {
  running: number;
  waiting: Waiting[];
  /** Set while the first of those that wait begins after a rest. */
  rest: NodeJS.Timeout | null;
  /** A time of `performance.now()`. */
  restsUntil: number;
}

export interface TurnLimits {
  /** The requests of an organization at the same time. */
  places: number;
  /** The same while others are active. */
  placesBesideOthers: number;
  /** While others are active, requests may take this part of the time, and `burstMs` at once. Above 0. */
  pace: number;
  burstMs: number;
  /** While others are active, an organization whose requests took more time than this lately has one place. */
  onePlaceFromMs: number;
  /** With one place it rests after each request, twice as long as the request took, but not longer than this. */
  restAfterEachMs: number;
  /** The first milliseconds of a request do not count. */
  countedFromMs: number;
  /** Requests that waited long for something else, for example an outage of the database, cause no longer rest. */
  longestRestMs: number;
  /** A request that takes longer waits for something else: others of its organization need not wait for it. */
  heldMs: number;
}

/** What `run` returns for work whose turn came too late. */
export const tooLate = Symbol('too late');

export class OrganizationTurns {
  private readonly organizations = new Map<string, Organization>();
  private readonly spent: SpentTime;
  private waitingRequests = 0;
  private isDraining = false;

  constructor(
    private readonly limits: TurnLimits,
    private readonly activity: OrganizationActivity,
  ) {
    const { pace, burstMs, longestRestMs } = limits;
    this.spent = new SpentTime(pace, burstMs + pace * longestRestMs);
  }

  /** The requests that wait for their turn. */
  get waiting(): number {
    return this.waitingRequests;
  }

  /**
   * Runs the work when the organization has a place. `until`, a time of `performance.now()`: work whose turn comes
   * later is not done, because its caller does not wait any more.
   */
  async run<Result>(id: string, until: number, work: () => Promise<Result>): Promise<Result | typeof tooLate> {
    this.activity.note(id, performance.now());
    const organization = this.organizations.get(id) ?? { running: 0, waiting: [], rest: null, restsUntil: 0 };
    this.organizations.set(id, organization);
    if (this.mayBegin(id, organization)) organization.running++;
    else if (!(await this.turnIn(id, organization, until))) return tooLate;
    const giveBack = this.heldPlace(id, organization);
    try {
      return await work();
    } finally {
      giveBack();
    }
  }

  /** From now on nobody rests: the replica stops when everything is done. */
  drain(): void {
    this.isDraining = true;
    for (const [id, organization] of this.organizations) {
      if (organization.rest === null) continue;
      clearTimeout(organization.rest);
      organization.rest = null;
      this.beginNext(id, organization);
    }
  }

  /** Returns what gives the place back, once. */
  private heldPlace(id: string, organization: Organization): () => void {
    const { heldMs } = this.limits;
    const begun = performance.now();
    let isHeld = true;
    const giveBack = (): void => {
      clearTimeout(timer);
      if (!isHeld) return;
      isHeld = false;
      const now = performance.now();
      this.noteEnd(id, organization, now - begun, now);
      this.beginNext(id, organization);
    };
    const timer = heldMs < Infinity ? setTimeout(giveBack, heldMs) : undefined;
    return giveBack;
  }

  private noteEnd(id: string, organization: Organization, ms: number, now: number): void {
    const { countedFromMs, onePlaceFromMs, restAfterEachMs } = this.limits;
    this.spent.note(id, Math.max(0, ms - countedFromMs), now);
    if (this.spent.of(id, now) >= onePlaceFromMs) organization.restsUntil = now + Math.min(2 * ms, restAfterEachMs);
    organization.running--;
  }

  private turnIn(id: string, organization: Organization, until: number): Promise<boolean> {
    this.waitingRequests++;
    return new Promise((start) => {
      organization.waiting.push({ until, start });
      this.beginNext(id, organization);
    });
  }

  private mayBegin(id: string, organization: Organization): boolean {
    const now = performance.now();
    const { running, waiting } = organization;
    return waiting.length === 0 && running < this.placesOf(id, now) && this.restOf(id, organization, now) === 0;
  }

  /** Gives the free places to the next requests that are in time. */
  private beginNext(id: string, organization: Organization): void {
    const { waiting } = organization;
    for (let [next] = waiting; next && organization.rest === null; [next] = waiting) {
      const now = performance.now();
      const isInTime = now < next.until;
      if (isInTime) {
        if (organization.running >= this.placesOf(id, now)) return;
        const restMs = this.restOf(id, organization, now);
        if (restMs > 0) return this.rest(id, organization, restMs);
        organization.running++;
      }
      waiting.shift();
      this.waitingRequests--;
      next.start(isInTime);
    }
    if (organization.running === 0 && waiting.length === 0) this.organizations.delete(id);
  }

  private rest(id: string, organization: Organization, restMs: number): void {
    organization.rest = setTimeout(() => {
      organization.rest = null;
      this.beginNext(id, organization);
    }, restMs);
  }

  private placesOf(id: string, now: number): number {
    const { places, placesBesideOthers, onePlaceFromMs } = this.limits;
    if (!this.activity.isAnyBeside(id, now)) return places;
    return this.spent.of(id, now) < onePlaceFromMs ? placesBesideOthers : 1;
  }

  private restOf(id: string, { restsUntil }: Organization, now: number): number {
    if (this.isDraining || !this.activity.isAnyBeside(id, now)) return 0;
    return Math.max(0, restsUntil - now, this.spent.msUntil(this.limits.burstMs, id, now));
  }
}
