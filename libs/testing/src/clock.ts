/** A clock that changes only when a test moves it. */
export interface ManualClock {
  now(): Date;
  advance(milliseconds: number): void;
  set(at: Date | string): void;
}

export function manualClock(start: Date | string = '2026-01-05T09:00:00Z'): ManualClock {
  let time = new Date(start).getTime();
  return {
    now: () => new Date(time),
    advance: (milliseconds) => {
      time += milliseconds;
    },
    set: (at) => {
      time = new Date(at).getTime();
    },
  };
}
