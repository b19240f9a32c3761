/** Network partitions: packets between two sides are silently dropped, in both directions. */
import { setTimeout as pause } from 'node:timers/promises';
import { serviceNames, type Replica, type ServiceName } from '../system.js';
import type { Fault, FaultRun } from './fault.js';
import { goalSeconds } from './run-faults.js';

type Store = 'nats' | 'postgres';

const titles: Record<Store, string> = { nats: 'NATS', postgres: 'PostgreSQL' };
const withDatabase: readonly ServiceName[] = ['auth', 'alert-pipeline', 'resource-api', 'workflow-engine'];

const networksOf = ({ system }: FaultRun) => {
  if (!system.networks || !system.proxies) throw new Error('the system has no networks of its own');
  return { networks: system.networks, proxies: system.proxies };
};

const common = {
  class: 'partition',
  needs: ['linux', 'root', 'nft'],
  system: { place: 'networks', proxied: true },
  end: async (run: FaultRun) => networksOf(run).networks.heal(),
} as const;

function cut(run: FaultRun, replicas: readonly Replica[], store: Store): void {
  const { networks, proxies } = networksOf(run);
  for (const { name } of replicas) networks.cutFromPort(name, proxies[store].port);
}

/** The first replica only: the other one continues to work. */
const oneFrom = (service: ServiceName, store: Store): Fault => ({
  ...common,
  name: `partition-${service}-${store}`,
  what: `Nothing passes between one of two replicas of ${service} and ${titles[store]}.`,
  quick: service === 'alert-pipeline' && store === 'postgres',
  seconds: 40,
  inject: async (run) => cut(run, run.system.replicas(service).slice(0, 1), store),
});

const allFrom = (store: Store): Fault => ({
  ...common,
  name: `partition-all-${store}`,
  what: `Nothing passes between all services and ${titles[store]}.`,
  seconds: 60,
  inject: async (run) => cut(run, run.system.allReplicas, store),
});

/** The status of an alert that a new sender sends to the API gateway, which passes it on to the ingest gateway. */
async function sentByApiGateway({ system }: FaultRun): Promise<{ status: number; body: string }> {
  const organization = await system.organization();
  const { ingestUrl } = await organization.integration();
  const [gateway] = system.replicas('api-gateway');
  const answer = await fetch(`${gateway?.url}${new URL(ingestUrl).pathname}`, {
    method: 'POST',
    body: JSON.stringify({ title: 'through the API gateway', severity: 'info' }),
    headers: { 'content-type': 'application/json' },
  });
  return { status: answer.status, body: await answer.text() };
}

/** The senders of the load do not use the API gateway, so this fault sends by itself. */
const gateways: Fault = {
  ...common,
  name: 'partition-api-gateway-ingest-gateway',
  what: 'Nothing passes between the replicas of api-gateway and the ingest gateway to which they pass requests on.',
  seconds: 20,
  async inject(run) {
    const before = await sentByApiGateway(run);
    if (before.status !== 202) throw new Error(`before the partition an alert was answered ${before.status}`);
    const [ingest] = run.system.replicas('ingest-gateway');
    for (const { name } of run.system.replicas('api-gateway'))
      networksOf(run).networks.cutFromReplica(name, String(ingest?.name));
    const { status } = await sentByApiGateway(run);
    if (status !== 503) throw new Error(`an alert that cannot be passed on was answered ${status}`);
  },
  async check(run) {
    // Senders send again after 503, as those of the load do.
    const until = Date.now() + goalSeconds * 1000;
    let answer = await sentByApiGateway(run);
    while (answer.status === 503 && Date.now() < until) {
      await pause(500);
      answer = await sentByApiGateway(run);
    }
    const { status, body } = answer;
    return status === 202
      ? []
      : [`after the partition, an alert through the API gateway was answered ${status}: ${body}`];
  },
};

export const partitionFaults: readonly Fault[] = [
  ...serviceNames.map((service) => oneFrom(service, 'nats')),
  ...withDatabase.map((service) => oneFrom(service, 'postgres')),
  allFrom('nats'),
  allFrom('postgres'),
  gateways,
];
