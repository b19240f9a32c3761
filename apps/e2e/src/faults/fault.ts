/**
 * One row of the table of faults. Each file of this folder that is named after a class has the rows of that class;
 * `table.ts` joins them. A new fault is a new row, and a new class is a new file.
 */
import type { System, SystemOptions } from '../system.js';
import type { Load } from './load.js';
import type { Random } from './random.js';

export const faultClasses = [
  'kill',
  'stop',
  'postgres',
  'nats',
  'messages',
  'upgrade',
  'clock',
  'disk',
  'memory',
  'names',
  'partition',
  'cluster',
] as const;
export type FaultClass = (typeof faultClasses)[number];

/** What a machine must offer for a fault. `needs.ts` checks it. */
export type Need = 'linux' | 'root' | 'yesterday' | 'faketime' | 'loop' | 'blkio' | 'memory' | 'nft';

export interface FaultRun {
  system: System;
  /** Gives the same numbers for the same seed and fault. */
  random: Random;
  /** The superuser's URL of the PostgreSQL that is the primary now. A failover changes it. */
  databaseUrl: string;
  load: Load;
  /** What the fault itself destroys. It is counted, but not as a problem. */
  destroyed: Destroyed;
  /** Called before the installation stops, for what the fault has started. */
  cleanUp(work: () => Promise<void>): void;
  /** How often each replica had ended on its own before: on a busy machine a service may start twice. */
  endsBefore: ReadonlyMap<string, number>;
  /** Prints what happens. */
  log(line: string): void;
}

export interface Destroyed {
  /** Events that NATS had stored and lost before they were applied. */
  eventIds: Set<string>;
  /** Alerts whose domain events NATS had stored and lost before a workflow saw them. */
  alertIds: Set<string>;
  /** NATS has forgotten the idempotency keys. */
  idempotencyKeys: boolean;
  /** PostgreSQL has lost the last seconds of what it had committed. */
  commits: boolean;
}

export interface Fault {
  name: string;
  class: FaultClass;
  /** What happens, in one sentence, for the report and the docs. */
  what: string;
  /** Part of `--quick`. */
  quick?: boolean;
  needs?: readonly Need[];
  /** What differs from the usual installation. Faults with equal options share one. */
  system?: SystemOptions;
  /** The installation cannot be used for another fault afterwards. */
  ownSystem?: boolean;
  /** The time between `inject` and `end`. `--quick` and the tests shorten it. */
  seconds: number;
  /** Returns when the fault has begun. A fault that has no duration is over then. */
  inject(run: FaultRun): Promise<void>;
  end?(run: FaultRun): Promise<void>;
  /** Returns further problems, after everything is applied and paged. */
  check?(run: FaultRun): Promise<string[]>;
}
