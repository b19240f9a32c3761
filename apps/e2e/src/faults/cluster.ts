/** NATS as a cluster of three nodes, whose nodes fail one at a time. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultRun } from './fault.js';

const clusterOf = ({ system }: FaultRun) => {
  if (!system.cluster) throw new Error('NATS is not a cluster');
  return system.cluster;
};

const common = { class: 'cluster', system: { clustered: true }, seconds: 0 } as const;
const awaySeconds = 10;

const oneAtATime: Fault = {
  ...common,
  name: 'cluster-kill-one',
  what:
    `Each of three NATS nodes is killed in turn, and starts again after ${awaySeconds} s. The next one is killed ` +
    'when the cluster is complete.',
  quick: true,
  async inject(run) {
    const cluster = clusterOf(run);
    for (const node of cluster.nodes) {
      await node.kill();
      await pause(awaySeconds * 1000);
      await node.start();
      await cluster.whole();
    }
  },
};

const two: Fault = {
  ...common,
  name: 'cluster-kill-two',
  what: 'Two of three NATS nodes are killed, so that NATS stores nothing, and start again after 20 s.',
  seconds: 20,
  async inject(run) {
    await Promise.all(
      clusterOf(run)
        .nodes.slice(1)
        .map((node) => node.kill()),
    );
  },
  async end(run) {
    const cluster = clusterOf(run);
    await Promise.all(cluster.nodes.slice(1).map((node) => node.start()));
    await cluster.whole();
  },
};

export const clusterFaults: readonly Fault[] = [oneAtATime, two];
