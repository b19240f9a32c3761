/** The levels of a policy as they are edited. Pure. */
import type { components } from '@ams/client';

type Schemas = components['schemas'];
export type Level = Schemas['PolicyLevel'] & { id: string };
export type Target = Level['targets'][number];
export type TargetType = Target['type'];
export const targetTypes: TargetType[] = ['schedule', 'user', 'team', 'email', 'channel'];
export const channelKinds = ['slack', 'teams', 'mattermost', 'discord', 'webhook'] as const;

export const newTarget = (type: TargetType): Target => {
  switch (type) {
    case 'email':
      return { type, address: '' };
    case 'channel':
      return { type, kind: 'slack', url: '' };
    default:
      return { type, id: '' };
  }
};

export const newLevel = (id: string): Level => ({ id, targets: [newTarget('schedule')], escalateAfterSeconds: 600 });

/** Seconds as a number of the largest unit that has no rest. */
export function inUnit(seconds: number): { value: number; unit: 'seconds' | 'minutes' | 'hours' } {
  if (seconds % 3600 === 0) return { value: seconds / 3600, unit: 'hours' };
  if (seconds % 60 === 0) return { value: seconds / 60, unit: 'minutes' };
  return { value: seconds, unit: 'seconds' };
}

export const unitSeconds = { seconds: 1, minutes: 60, hours: 3600 } as const;

/** What is not filled in is missing, so that the form says so. */
export const sentLevels = (levels: readonly Level[]): Level[] =>
  levels.map((level) => ({
    ...level,
    targets: level.targets.map(
      (target) => Object.fromEntries(Object.entries(target).filter(([, value]) => value !== '')) as Target,
    ),
  }));
