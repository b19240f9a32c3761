/**
 * When messages are sent. The times are planned before the run and do not depend on answers (open loop): a service that
 * becomes slow gets the same messages, and the time that they wait counts.
 */

/** The rate as a multiple of the usual one, at a part of the run from 0 to 1. */
type Shape = (part: number) => number;

export const profiles = {
  /** Five times the usual rate in the middle third. */
  storm: (part) => (part >= 1 / 3 && part < 2 / 3 ? 5 : 1),
  /** A day in the time of the run: hardly anything at night, twice the usual rate at noon. */
  day: (part) => 1 - 0.95 * Math.cos(2 * Math.PI * part),
  /** The usual rate all the time. */
  soak: () => 1,
} as const satisfies Record<string, Shape>;

export type ProfileName = keyof typeof profiles;
export const profileNames = Object.keys(profiles) as ProfileName[];

export interface Plan {
  profile: ProfileName;
  /** The usual rate: messages a second. */
  rate: number;
  seconds: number;
}

const stepMs = 5;

/** The times of the messages in ms since the beginning of the run, in their order. */
export function* plannedTimes({ profile, rate, seconds }: Plan): Generator<number, void> {
  const shape: Shape = profiles[profile];
  const end = seconds * 1000;
  let due = 0;
  let sent = 0;
  for (let at = 0; at < end; at += stepMs) {
    const added = (shape((at + stepMs / 2) / end) * rate * Math.min(stepMs, end - at)) / 1000;
    // Those of a step are spread over it.
    for (; sent + 1 <= due + added + 1e-9; sent++) yield at + (stepMs * (sent + 1 - due)) / added;
    due += added;
  }
}

/** The highest rate of the run, in messages a second. */
export const peakRate = ({ profile, rate }: Omit<Plan, 'seconds'>): number =>
  rate * Math.max(...Array.from({ length: 101 }, (_, n) => (profiles[profile] as Shape)(n / 101)));

export interface Clock {
  /** In ms, from any beginning; it never goes back. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

const wakeEveryMs = 5;

/**
 * Calls `send` for each planned time when it has come, and at once for those that are late. It never waits for a message.
 * Resolves when all are sent and each promise has settled. `send` gets its planned time by the clock, and must not reject.
 */
export async function sendAsPlanned(
  times: Iterable<number>,
  send: (plannedAt: number, number: number) => Promise<void>,
  clock: Clock,
): Promise<void> {
  const began = clock.now();
  const pending = new Set<Promise<void>>();
  let number = 0;
  for (const time of times) {
    const plannedAt = began + time;
    while (clock.now() < plannedAt) await clock.sleep(Math.min(wakeEveryMs, plannedAt - clock.now()));
    const request: Promise<void> = send(plannedAt, number++).finally(() => pending.delete(request));
    pending.add(request);
  }
  await Promise.all(pending);
}
