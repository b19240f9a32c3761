/** When a member is on call, from what is known of each schedule. */
import type { components } from '@ams/client';

type CurrentOnCall = components['schemas']['CurrentOnCall'];

export interface MyShift {
  kind: 'now' | 'next';
  scheduleId: string;
  scheduleName: string;
  /** `now`: when it ends. `next`: when it begins. Null when that has no end. */
  at: string | null;
}

/** Those of now first, then the next ones by their beginning. */
export function shiftsOf(schedules: readonly CurrentOnCall[], memberId: string): MyShift[] {
  const isMine = (users: readonly { id: string }[]): boolean => users.some(({ id }) => id === memberId);
  const now = schedules
    .filter(({ users }) => isMine(users))
    .map(({ scheduleId, scheduleName, endsAt }) => ({ kind: 'now' as const, scheduleId, scheduleName, at: endsAt }));
  const next = schedules
    .flatMap(({ scheduleId, scheduleName, users, next: coming }) =>
      !isMine(users) && coming !== null && isMine(coming.users)
        ? [{ kind: 'next' as const, scheduleId, scheduleName, at: coming.startsAt }]
        : [],
    )
    .sort((a, b) => (a.at < b.at ? -1 : 1));
  return [...now, ...next];
}
