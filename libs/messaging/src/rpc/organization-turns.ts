/**
 * The requests of one organization that a replica handles at the same time are few; the next ones wait in a queue of
 * their organization. So an organization whose requests take long waits for itself, and leaves connections, database
 * and event loop to others.
 */
interface Waiting {
  until: number;
  start: (isInTime: boolean) => void;
}

interface Organization {
  running: number;
  waiting: Waiting[];
}

/** What `run` returns for work whose turn came too late. */
export const tooLate = Symbol('too late');

export class OrganizationTurns {
  private readonly organizations = new Map<string, Organization>();
  private waitingRequests = 0;

  constructor(private readonly places: number) {}

  /** The requests that wait for their turn. */
  get waiting(): number {
    return this.waitingRequests;
  }

  /**
   * Runs the work when the organization has a place. `until`, a time of `performance.now()`: work whose turn comes
   * later is not done, because its caller does not wait any more.
   */
  async run<Result>(id: string, until: number, work: () => Promise<Result>): Promise<Result | typeof tooLate> {
    const organization = this.organizations.get(id) ?? { running: 0, waiting: [] };
    this.organizations.set(id, organization);
    if (organization.running < this.places) organization.running++;
    else if (!(await this.turnIn(organization, until))) return tooLate;
    try {
      return await work();
    } finally {
      this.leave(id, organization);
    }
  }

  private turnIn(organization: Organization, until: number): Promise<boolean> {
    this.waitingRequests++;
    return new Promise((start) => organization.waiting.push({ until, start }));
  }

  /** Gives the place to the next request that is in time. */
  private leave(id: string, organization: Organization): void {
    for (let next = organization.waiting.shift(); next; next = organization.waiting.shift()) {
      this.waitingRequests--;
      const isInTime = performance.now() < next.until;
      next.start(isInTime);
      if (isInTime) return;
    }
    organization.running--;
    if (organization.running === 0) this.organizations.delete(id);
  }
}
