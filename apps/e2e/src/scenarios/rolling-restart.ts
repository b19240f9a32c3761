/** Restarts replicas one after another, under a load in which every failure counts. */
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, startSystem, type Replica } from '../system.js';
import { startSteadyLoad } from './steady-load.js';

// Processes that start keep a small machine busy. The test checks that nothing fails, not how fast it is meanwhile. The
// balancer checks ten times a second whether a replica is ready, and may see it late.
const database = { DATABASE_CONNECT_TIMEOUT_MS: '8000' };
const patient = {
  'ingest-gateway': { INGEST_STORE_TIMEOUT_MS: '15000', DRAIN_DELAY_MS: '2000' },
  'api-gateway': { ADMIT_TIMEOUT_MS: '10000', CALL_TIMEOUT_MS: '18000', DRAIN_DELAY_MS: '2000' },
  auth: { ...database, ADMISSION_TIMEOUT_MS: '18000' },
  'alert-pipeline': { ...database, DATABASE_TIMEOUT_MS: '15000', PIPELINE_LEASE_SECONDS: '30' },
  'resource-api': { ...database, DATABASE_TIMEOUT_MS: '15000' },
};

export interface RollingRestart {
  /** The failures, with their number and time. */
  failures: Record<string, number>;
  /** When there are failures: the warnings and errors in the logs of the services. */
  warnings: string[];
  exitCodes: (number | null)[];
  accepted: number;
  sent: number;
}

/** Runs with two replicas of each service. Throws when an accepted event is not applied in the end. */
export async function rollingRestart(
  perSecond: number,
  chosen: (replica: Replica) => boolean,
): Promise<RollingRestart> {
  const system = await startSystem({
    replicas: Object.fromEntries(serviceNames.map((name) => [name, 2])),
    durable: true,
    env: patient,
  });
  try {
    const acme = await system.organization();
    const sender = await acme.integration();
    await sender.fire({ title: 'Acknowledged all the time', severity: 'low', fingerprint: 'target' });
    const [target] = await acme.alerts({ fingerprint: 'target' });
    const load = startSteadyLoad(system, acme, sender, String(target?.id), perSecond);
    await pause(500);
    const exitCodes: (number | null)[] = [];
    for (const replica of system.allReplicas.filter(chosen)) {
      load.note(`while ${replica.name} was restarted`);
      exitCodes.push(await replica.restart());
      await pause(300); // a load balancer requests /readyz in this time
    }
    await pause(500);
    await load.stop();
    await system.eventuallyApplied(load.accepted);
    return {
      failures: Object.fromEntries(load.failures),
      warnings: load.failures.size > 0 ? system.allReplicas.flatMap(warningsOf) : [],
      exitCodes,
      accepted: load.accepted.length,
      sent: load.sent,
    };
  } finally {
    await system.stop();
  }
}

const warningsOf = (replica: Replica): string[] =>
  replica
    .log()
    .split('\n')
    .filter((line) => /"level":"?(?:[456]0|warn|error|fatal)/.test(line))
    .slice(-40)
    .map((line) => `${replica.name}: ${line}`);
