/**
 * Decides whose work is next. Work belongs to a share: an organization, and within it a team. Organizations take turns,
 * and the teams of an organization take turns in its turns. So a burst of one team delays another organization by one
 * piece of work for each turn, and another team of the same organization by one for each turn of the organization.
 *
 * A share may have a limited number of places, so that work that takes long leaves places to others.
 */

export interface Share {
  organization: string;
  /** Unique within the organization. */
  team: string;
  givesWay?: GivesWay | undefined;
}

/**
 * Work that leaves processors idle for other organizations while these are active: `few` has a few places, `rest` has
 * one and rests after it.
 */
export type GivesWay = 'few' | 'rest';

/** The numbers of pieces of work at the same time. */
export interface Places {
  total: number;
  organization: number;
  team: number;
}

interface Waiting<Item> {
  share: Share;
  item: Item;
}

interface Team<Item> {
  waiting: Waiting<Item>[];
  running: number;
}

/** `turns` has the teams that wait; the first one is next. */
interface Organization<Item> {
  teams: Map<string, Team<Item>>;
  turns: Set<string>;
  running: number;
}

export class FairQueue<Item> {
  private readonly organizations = new Map<string, Organization<Item>>();
  /** The organizations that wait; the first one is next. */
  private readonly turns = new Set<string>();
  private running = 0;
  private waitingItems = 0;

  constructor(private readonly places: Places) {}

  get waiting(): number {
    return this.waitingItems;
  }

  add(share: Share, item: Item): void {
    const organization = this.organizationOf(share);
    teamIn(organization, share).waiting.push({ share, item });
    organization.turns.add(share.team);
    this.turns.add(share.organization);
    this.waitingItems++;
  }

  /** The next piece of work, which takes a place until `done`. Null when nothing waits that has a place. */
  next(): Item | null {
    if (this.running >= this.places.total) return null;
    for (const name of this.turns) {
      const organization = this.organizations.get(name);
      if (!organization || organization.running >= this.places.organization) continue;
      const found = this.nextIn(organization);
      if (!found) continue;
      this.turns.delete(name);
      if (organization.turns.size > 0) this.turns.add(name);
      organization.running++;
      this.running++;
      this.waitingItems--;
      return found.item;
    }
    return null;
  }

  /** Work of this share has ended: its place is free. */
  done(share: Share): void {
    const organization = this.organizationOf(share);
    const team = teamIn(organization, share);
    team.running--;
    organization.running--;
    this.running--;
    if (team.running === 0 && team.waiting.length === 0) organization.teams.delete(share.team);
    if (organization.teams.size === 0) this.organizations.delete(share.organization);
  }

  /** Removes everything that waits. */
  clear(): Item[] {
    const items: Item[] = [];
    for (const [name, organization] of this.organizations) {
      for (const [slug, team] of organization.teams) {
        items.push(...team.waiting.splice(0).map(({ item }) => item));
        if (team.running === 0) organization.teams.delete(slug);
      }
      organization.turns.clear();
      if (organization.teams.size === 0) this.organizations.delete(name);
    }
    this.turns.clear();
    this.waitingItems = 0;
    return items;
  }

  private nextIn({ teams, turns }: Organization<Item>): Waiting<Item> | null {
    for (const name of turns) {
      const team = teams.get(name);
      if (!team || team.running >= this.places.team) continue;
      const first = team.waiting.shift() ?? null;
      turns.delete(name);
      if (team.waiting.length > 0) turns.add(name);
      if (!first) continue;
      team.running++;
      return first;
    }
    return null;
  }

  private organizationOf({ organization: name }: Share): Organization<Item> {
    const organization = this.organizations.get(name) ?? { teams: new Map(), turns: new Set(), running: 0 };
    this.organizations.set(name, organization);
    return organization;
  }
}

function teamIn<Item>({ teams }: Organization<Item>, { team: name }: Share): Team<Item> {
  const team = teams.get(name) ?? { waiting: [], running: 0 };
  teams.set(name, team);
  return team;
}

/**
 * How many places one team and one organization may hold of a room for work that waits or runs. A part is always free
 * for whoever comes next: with n organizations, each may hold 1/(n+1), and the same for the teams within one.
 */
export function roomFor(capacity: number, organizations: number, teams: number): Pick<Places, 'organization' | 'team'> {
  const organization = Math.max(1, Math.floor(capacity / (Math.max(1, organizations) + 1)));
  return { organization, team: Math.max(1, Math.floor(organization / (Math.max(1, teams) + 1))) };
}
