/**
 * Runs faults one after another: starts an installation, keeps a steady load on it, injects the fault, ends it, waits
 * until the installation has recovered, and judges. Faults with the same options share an installation.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openNetworks } from '../system/places/networks.js';
import { thisMachine } from '../system/places/place.js';
import { serviceNames, startSystem, type System, type SystemOptions } from '../system.js';
import type { Fault, FaultRun } from './fault.js';
import { acceptedIdsOf, appliedOf, duePages, judge, missingPages, type Figures } from './judge.js';
import { createTenants, startLoad, type Load, type Tenants } from './load.js';
import { missingNeeds, type Machine } from './needs.js';
import { openPageReceiver, type PageReceiver } from './pages.js';
import { randomOf } from './random.js';
import { beginCount, countedStatements, progressOf, statementSettings } from './statements.js';

/** The goal for the time from the end of a fault until the installation has recovered. */
export const goalSeconds = 15;

export interface RunOptions {
  seed: number;
  /** Messages of senders a second. */
  perSecond: number;
  /** The longest time between the beginning and the end of a fault. */
  maxSeconds: number;
  /** How long the runner waits after a fault until everything is applied and paged. */
  patienceSeconds: number;
  /** Where the logs of the services are stored when a fault has shown a problem, or was slow. */
  logFolder?: string;
  machine: Machine;
  /** Prints so many of the statements that took PostgreSQL the longest from the end of a fault. 0: none is counted. */
  statements?: number;
  log(line: string): void;
}

export interface FaultResult {
  fault: Pick<Fault, 'name' | 'class' | 'what'>;
  seed: number;
  /** The time between the beginning and the end of the fault. */
  seconds: number;
  figures: Figures;
  /** Seconds from the end of the fault until the installation had recovered; null if it did not recover. */
  wellAfter: number | null;
  /** When, after the end of the fault, each condition of `wellAfter` was first true. */
  wellParts: Record<string, number | null>;
  /** The last replicas that were not ready, with their failing checks. */
  lastUnready: string;
  problems: string[];
  answers: Record<string, number>;
  slowestRefusalMs: number;
}

/** A fault that was left out on this machine, or that could not be injected or judged. */
export interface SkippedFault {
  fault: Pick<Fault, 'name' | 'class' | 'what'>;
  because: string;
  isFailure: boolean;
}

/** Two replicas of each service, which write to the disk as in production. */
const usualSystem: SystemOptions = {
  durable: true,
  supervised: true,
  replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
};

interface Installation {
  system: System;
  tenants: Tenants;
  receiver: PageReceiver;
  cleanUp(work: () => Promise<void>): void;
  stop(): Promise<void>;
}

async function startInstallation(options: SystemOptions): Promise<Installation> {
  const networks = options.place === 'networks' ? openNetworks() : null;
  const receiver = await openPageReceiver(networks?.host ?? thisMachine.host);
  let system: System | undefined;
  const works: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const work of works.reverse()) await work();
    await system?.stop();
    await receiver.close();
  };
  try {
    const env = { ...options.env, notifier: { ...options.env?.notifier, ...receiver.settings } };
    system = await startSystem({ ...usualSystem, ...options, env }, networks);
    const tenants = await createTenants(system, receiver);
    return { system, tenants, receiver, cleanUp: (work) => void works.push(work), stop };
  } catch (error) {
    await stop().catch(() => undefined);
    throw error;
  }
}

/** The results come one by one, so that those before a failure of the runner are not lost. */
export async function* runFaults(
  faults: readonly Fault[],
  options: RunOptions,
): AsyncGenerator<FaultResult | SkippedFault> {
  for (const group of groupsOf(faults)) {
    let installation: Installation | null = null;
    try {
      for (const fault of group) {
        const because = missingNeeds(fault, options.machine);
        if (because !== null) {
          yield { fault: summaryOf(fault), because, isFailure: false };
          continue;
        }
        options.log(`${fault.name}: ${fault.what}`);
        try {
          installation ??= await startInstallation(systemOf(fault, options));
          yield await runFault(fault, installation, options);
        } catch (error) {
          yield { fault: summaryOf(fault), because: String((error as Error).stack), isFailure: true };
          await installation?.stop();
          installation = null;
        }
      }
    } finally {
      await installation?.stop();
    }
  }
}

const systemOf = ({ system = {} }: Fault, { statements = 0 }: RunOptions): SystemOptions =>
  statements === 0 ? system : { ...system, postgresSettings: statementSettings };

const summaryOf = ({ name, class: kind, what }: Fault): SkippedFault['fault'] => ({ name, class: kind, what });

/** Faults that share an installation, in the order of the list. */
function groupsOf(faults: readonly Fault[]): Fault[][] {
  const groups = new Map<string, Fault[]>();
  for (const fault of faults) {
    const key = fault.ownSystem ? `only ${fault.name}` : JSON.stringify(fault.system ?? {});
    groups.set(key, [...(groups.get(key) ?? []), fault]);
  }
  return [...groups.values()];
}

let runs = 0;

async function runFault(
  fault: Fault,
  { system, tenants, receiver, cleanUp }: Installation,
  { seed, perSecond, maxSeconds, patienceSeconds, logFolder, statements = 0, log }: RunOptions,
): Promise<FaultResult> {
  const random = randomOf(seed, fault.name);
  const load = startLoad(system, tenants, { name: `${fault.name}-${++runs}`, seed, perSecond });
  const destroyed = {
    eventIds: new Set<string>(),
    alertIds: new Set<string>(),
    idempotencyKeys: false,
    commits: false,
  };
  const endsBefore = new Map(system.allReplicas.map(({ name, restarts, kills }) => [name, restarts - kills]));
  const databaseUrl = system.postgres.url;
  const run: FaultRun = { system, random, databaseUrl, load, destroyed, cleanUp, endsBefore, log };
  const seconds = Math.min(fault.seconds, maxSeconds);
  let hasEnded = false;
  const end = async (): Promise<void> => {
    if (hasEnded) return;
    hasEnded = true;
    await fault.end?.(run);
  };
  try {
    await pause(random.between(2000, 4000));
    await fault.inject(run);
    await pause(seconds * 1000);
    await end();
    const ended = new Date();
    const counting = statements > 0 ? beginCount(system) : null;
    const well = await becomeWell(run, load, receiver, patienceSeconds);
    await counting;
    if (counting)
      log([`${fault.name}:`, await countedStatements(system, statements), await progressOf(system, ended)].join('\n'));
    await load.stop(patienceSeconds * 1000);
    const unsettled = await settle(run, load, receiver, patienceSeconds);
    const { figures, problems } = await judge(run, load, receiver.pages);
    problems.push(...((await fault.check?.(run)) ?? []));
    if (well.after === null) problems.push(`not well within ${patienceSeconds} s: ${well.waitsFor}`);
    if (unsettled !== null) problems.push(`not settled within ${patienceSeconds} s: ${unsettled}`);
    const isSlow = well.after === null || well.after > goalSeconds;
    if (logFolder !== undefined && (problems.length > 0 || isSlow))
      keepLogs(system, join(logFolder, `${fault.name}-${seed}`));
    return {
      fault: summaryOf(fault),
      seed,
      seconds,
      figures,
      wellAfter: well.after,
      wellParts: well.parts,
      lastUnready: well.lastUnready,
      problems,
      answers: Object.fromEntries([...load.answers].sort()),
      slowestRefusalMs: Math.round(load.slowestRefusal),
    };
  } catch (error) {
    if (logFolder !== undefined) keepLogs(system, join(logFolder, `${fault.name}-${seed}`));
    throw error;
  } finally {
    await end().catch((error: unknown) => log(`${fault.name}: the end failed: ${String(error)}`));
    await load.stop(0).catch(() => undefined);
  }
}

function keepLogs({ allReplicas }: System, folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (const { name, log } of allReplicas) writeFileSync(join(folder, `${name}.log`), log());
}

/** How long the load continues after the fault, at least and at most. */
const loadAfterMs = { least: 3000, most: 20_000 };

interface Wellness {
  after: number | null;
  parts: Record<string, number | null>;
  lastUnready: string;
  waitsFor: string;
}

/** The replicas that are not ready, with their failing checks. */
async function unreadyOf(system: System): Promise<string[]> {
  const states = system.allReplicas.map(async ({ name, managementUrl }) => {
    try {
      const answer = await fetch(`${managementUrl}/readyz`, { signal: AbortSignal.timeout(2000) });
      if (answer.ok) return [];
      const { error = {} } = (await answer.json()) as { error?: Record<string, { message?: string }> };
      const checks = Object.entries(error).map(([check, { message = '' }]) => `${check}: ${message}`);
      return [`${name} (${checks.join(', ')})`];
    } catch {
      return [`${name} (no answer)`];
    }
  });
  return (await Promise.all(states)).flat();
}

/**
 * Waits until the installation has recovered: every replica is ready, every event that was accepted before now is
 * applied, its pages have been sent, and every sender and caller has had a success.
 */
async function becomeWell(
  run: FaultRun,
  load: Load,
  receiver: PageReceiver,
  patienceSeconds: number,
): Promise<Wellness> {
  const began = performance.now();
  const waiting = new Set(acceptedIdsOf(load).filter((id) => !run.destroyed.eventIds.has(id)));
  const applied = new Map<string, string | null>();
  let lastUnready = '';
  const conditions: Record<string, () => Promise<boolean>> = {
    ready: async () => {
      const unready = await unreadyOf(run.system);
      if (unready.length > 0) lastUnready = unready.join(', ');
      return unready.length === 0;
    },
    served: async () => load.allSucceededSince(began),
    applied: async () => {
      if (waiting.size === 0) return true;
      for (const [id, alertId] of await appliedOf(run, [...waiting])) {
        waiting.delete(id);
        applied.set(id, alertId);
      }
      return waiting.size === 0;
    },
    paged: async () => {
      if (waiting.size > 0) return false;
      const { missing } = await missingPages(run, duePages(load, applied, true), receiver.pages);
      return missing.every(({ alertId }) => run.destroyed.alertIds.has(alertId));
    },
  };
  const parts: Record<string, number | null> = Object.fromEntries(Object.keys(conditions).map((name) => [name, null]));
  const secondsNow = () => Math.round((performance.now() - began) / 100) / 10;
  let stopped: Promise<void> | undefined;
  for (;;) {
    for (const [name, holds] of Object.entries(conditions))
      if (parts[name] === null && (await holds().catch(() => false))) parts[name] = secondsNow();
    const waitsFor = Object.keys(parts).filter((name) => parts[name] === null);
    const isOver = waitsFor.length === 0 || secondsNow() > patienceSeconds;
    if (isOver) {
      await pause(Math.max(0, loadAfterMs.least - (performance.now() - began)));
      await stopped;
      const after = waitsFor.length > 0 ? null : Math.max(...Object.values(parts).map(Number));
      return { after, parts, lastUnready, waitsFor: waitsFor.join(', ') };
    }
    if (performance.now() - began > loadAfterMs.most && parts['served'] !== null)
      stopped ??= load.stop(patienceSeconds * 1000);
    await pause(200);
  }
}

/** How long to wait for pages that must not arrive. */
const lateMs = 2000;

/** Waits until everything is applied and paged. Returns what was missing when the time was over. */
async function settle(
  run: FaultRun,
  load: Load,
  receiver: PageReceiver,
  patienceSeconds: number,
): Promise<string | null> {
  const deadline = performance.now() + patienceSeconds * 1000;
  const accepted = acceptedIdsOf(load);
  let missing = 'the database does not answer';
  while (performance.now() < deadline) {
    try {
      const applied = await appliedOf(run, accepted);
      const pages = await missingPages(run, duePages(load, applied, false), receiver.pages);
      const events = accepted.filter((id) => !applied.has(id) && !run.destroyed.eventIds.has(id));
      const due = pages.missing.filter(({ alertId }) => !run.destroyed.alertIds.has(alertId));
      missing = `${events.length} events, ${due.length} pages`;
      if (events.length === 0 && due.length === 0) {
        await pause(lateMs);
        return null;
      }
    } catch {
      // the next round asks again
    }
    await pause(250);
  }
  return missing;
}
