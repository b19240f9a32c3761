/** What the claims of an OpenID provider say about a member: the role and the teams. */
import type { Role } from '@ams/scopes';

/** From the fewest rights to the most. */
const ranked: readonly Role[] = ['viewer', 'responder', 'admin', 'owner'];

export interface ClaimMapping {
  /** Where the groups are: the names of nested claims, joined by dots. Null: no claim is read. */
  groupsClaim: string | null;
  /** From a group to the role of its members. Of several groups, the role with the most rights counts. */
  roles: ReadonlyMap<string, Role>;
  /** The role of somebody in none of these groups. Null: nobody else may sign in. */
  otherRole: Role | null;
  /** From a group to the slugs of its teams. */
  teams: ReadonlyMap<string, readonly string[]>;
}

export type Membership =
  | {
      kind: 'member';
      /** Null: the claims say nothing about the role, so a member keeps the present one. */
      role: Role | null;
      /** Whether the member belongs to each team that a group is mapped to. Other teams are not touched. */
      teams: { slug: string; belongs: boolean }[];
    }
  | { kind: 'noRole' };

export function membershipOf(claims: Readonly<Record<string, unknown>>, mapping: ClaimMapping): Membership {
  const groups = new Set(mapping.groupsClaim === null ? [] : groupsIn(claims, mapping.groupsClaim));
  const found = ranked.filter((role) => [...groups].some((group) => mapping.roles.get(group) === role)).at(-1);
  const role = found ?? mapping.otherRole;
  if (mapping.roles.size > 0 && role === null) return { kind: 'noRole' };
  return { kind: 'member', role: mapping.roles.size > 0 ? role : null, teams: teamsOf(groups, mapping.teams) };
}

function teamsOf(groups: ReadonlySet<string>, teams: ClaimMapping['teams']): { slug: string; belongs: boolean }[] {
  const belonging = new Map<string, boolean>();
  for (const [group, slugs] of teams)
    for (const slug of slugs) belonging.set(slug, belonging.get(slug) === true || groups.has(group));
  return [...belonging].map(([slug, belongs]) => ({ slug, belongs }));
}

/** The claim itself may have dots in its name (`https://example.com/groups`), so its whole name is tried first. */
function groupsIn(claims: Readonly<Record<string, unknown>>, claim: string): string[] {
  if (Object.hasOwn(claims, claim)) return wordsOf(claims[claim]);
  let value: unknown = claims;
  for (const name of claim.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return [];
    value = (value as Record<string, unknown>)[name];
  }
  return wordsOf(value);
}

/** Providers send a list of names, or one name. */
function wordsOf(value: unknown): string[] {
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.filter((word) => typeof word === 'string');
}

export interface MappingText {
  pairs: [group: string, target: string][];
  /** The entries without a group, a target or an equals sign. */
  faults: string[];
}

/** Reads `group=target` pairs that are separated by commas. The last equals sign counts: names of groups may have one. */
export function readMapping(text: string): MappingText {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const faults: string[] = [];
  const pairs: [string, string][] = [];
  for (const entry of entries) {
    const at = entry.lastIndexOf('=');
    const [group, target] = [entry.slice(0, Math.max(at, 0)).trim(), entry.slice(at + 1).trim()];
    if (at < 0 || group === '' || target === '') faults.push(entry.trim());
    else pairs.push([group, target]);
  }
  return { pairs, faults };
}
