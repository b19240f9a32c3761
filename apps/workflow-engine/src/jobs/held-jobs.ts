/**
 * The jobs that one replica holds: those that it has fetched, whether they wait here for their turn or are being done.
 * graphile-worker fetches jobs in the order in which they are due, whosever they are. So a team or an organization with
 * very many of them may hold a part of the room only, and its other jobs are postponed: there is always room to fetch
 * the jobs of others.
 */
import { roomFor, type Share } from '@ams/domain';

/**
 * The postponed jobs of an organization are tried again one after another, at most so many in a second. Each of its
 * teams has an equal part of this.
 */
const postponedPerSecond = 100;
const leastDelayMs = 1000;
const mostDelayMs = 30_000;

interface Team {
  held: number;
}

interface Organization {
  held: number;
  teams: Map<string, Team>;
}

export class HeldJobs {
  private readonly organizations = new Map<string, Organization>();
  /** By organization and team: when the job that was postponed last is tried again. */
  private readonly postponedUntil = new Map<string, Map<string, number>>();

  constructor(private readonly capacity: number) {}

  /** Null: the job is held, and `leave` has to be called. Otherwise when to try again. Times are in milliseconds. */
  enter(share: Share, now: number): number | null {
    const organization = this.organizations.get(share.organization) ?? { held: 0, teams: new Map<string, Team>() };
    const team = organization.teams.get(share.team) ?? { held: 0 };
    organization.teams.set(share.team, team);
    this.organizations.set(share.organization, organization);
    const room = roomFor(this.capacity, this.organizations.size, organization.teams.size);
    if (organization.held >= room.organization || team.held >= room.team) {
      this.forget(share);
      return this.nextOf(share, now);
    }
    organization.held++;
    team.held++;
    return null;
  }

  leave(share: Share): void {
    const organization = this.organizations.get(share.organization);
    const team = organization?.teams.get(share.team);
    if (!organization || !team) return;
    organization.held--;
    team.held--;
    this.forget(share);
  }

  private nextOf({ organization, team }: Share, now: number): number {
    const teams = this.postponedUntil.get(organization) ?? new Map<string, number>();
    const before = teams.get(team) ?? 0;
    setLast(teams, team, now);
    deletePast(teams, now, (at) => at);
    const next = Math.max(now + leastDelayMs, before + (1000 / postponedPerSecond) * teams.size);
    const at = Math.min(next, now + mostDelayMs);
    teams.set(team, at);
    setLast(this.postponedUntil, organization, teams);
    deletePast(this.postponedUntil, now, (of) => Math.max(...of.values()));
    return at;
  }

  private forget({ organization: name, team: teamName }: Share): void {
    const organization = this.organizations.get(name);
    if (organization?.teams.get(teamName)?.held === 0) organization.teams.delete(teamName);
    if (organization?.teams.size === 0) this.organizations.delete(name);
  }
}

/** The keys are in the order in which they were set last. */
function setLast<Value>(map: Map<string, Value>, key: string, value: Value): void {
  map.delete(key);
  map.set(key, value);
}

/** Deletes what is over, from those that were not set for the longest time. */
function deletePast<Value>(map: Map<string, Value>, now: number, untilOf: (value: Value) => number): void {
  for (const [key, value] of map) {
    if (untilOf(value) >= now) break;
    map.delete(key);
  }
}
