/**
 * In which order jobs that wait in a table are fetched. The more jobs a team or an organization has that wait already,
 * the higher the level of its next job; lower levels are fetched first. So the first job of anybody is fetched before the
 * many of somebody else, however many these are. Jobs of a level are fetched in the order in which they are due.
 */
import type { Share } from './fair-queue.js';

/** Jobs of a share that wait. Counts above `mostCounted` have the same meaning as `mostCounted`. */
export interface WaitingJobs extends Share {
  /** Those of the team. */
  ofTeam: number;
  /** Those of the organization, with all its teams. */
  ofOrganization: number;
}

export const mostCounted = 1000;
export const highestLevel = 10;

/** What the jobs of an organization have at most because of its other teams: its quiet teams are before its storm. */
const highestForOthers = 5;

export const jobLevel = ({ ofTeam, ofOrganization }: Pick<WaitingJobs, 'ofTeam' | 'ofOrganization'>): number =>
  Math.max(
    Math.floor((Math.min(ofTeam, mostCounted) * highestLevel) / mostCounted),
    Math.floor((Math.min(ofOrganization, mostCounted) * highestForOthers) / mostCounted),
  );

/** The levels of jobs that are added together, in their order. `waiting` says what waits already. */
export function levelsOf(jobs: readonly (Share | undefined)[], waiting: readonly WaitingJobs[]): number[] {
  const key = ({ organization, team }: Share): string => JSON.stringify([organization, team]);
  const ofTeam = new Map(waiting.map((one) => [key(one), one.ofTeam]));
  const ofOrganization = new Map(waiting.map((one) => [one.organization, one.ofOrganization]));
  return jobs.map((share) => {
    if (!share) return 0;
    const counts = { ofTeam: ofTeam.get(key(share)) ?? 0, ofOrganization: ofOrganization.get(share.organization) ?? 0 };
    ofTeam.set(key(share), counts.ofTeam + 1);
    ofOrganization.set(share.organization, counts.ofOrganization + 1);
    return jobLevel(counts);
  });
}
