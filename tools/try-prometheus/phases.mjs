// The phases of the run. Each changes hosts, and most kill programs at the same time. Then both lists must become
// equal.
import { setTimeout as sleep } from 'node:timers/promises';
import { watched } from './hosts.mjs';

const { InstanceDown: web, DiskAlmostFull: disks, QueueGrows: queues } = watched;

const kill = (pid) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // it is starting again
  }
};
/** Kills services again and again for some seconds; the installation starts them again. */
async function keepKilling({ services }, names, seconds) {
  for (const until = Date.now() + seconds * 1000; Date.now() < until; await sleep(500))
    for (const name of names) kill(services[name].pid);
}
const killAllOfOurs = ({ services, postgres, nats }) =>
  [...Object.values(services), postgres, nats].forEach(({ pid }) => kill(pid));

/** Each call changes one tenth of the hosts, and changes the tenth of the previous call back. */
function changes() {
  let turn = 0;
  return ({ hosts }) => {
    turn++;
    const ofTurn = (list) => list.filter((_, n) => n % 10 === turn % 10);
    const ofLastTurn = (list) => list.filter((_, n) => n % 10 === (turn + 9) % 10);
    hosts.set('InstanceDown', ofTurn(web), false);
    hosts.set('InstanceDown', ofLastTurn(web), true);
    hosts.set('DiskAlmostFull', ofTurn(disks), true);
    hosts.set('DiskAlmostFull', ofLastTurn(disks), false);
  };
}

export function phases() {
  const change = changes();

  const killed = (names) => ({
    name: `${names.join(', ')} killed for some seconds, while alerts fire and resolve`,
    async act(world) {
      const killing = keepKilling(world, names, 5);
      change(world);
      await killing;
    },
  });

  /** Prometheus or Alertmanager is down for some seconds, in which alerts fire and resolve. */
  const theirsKilled = (name) => ({
    name: `${name} killed, and started again after 8 s`,
    async act(world) {
      const program = world[name.toLowerCase()];
      await program.kill();
      change(world);
      await sleep(8000);
      await program.start();
    },
  });

  const storeKilled = (name) => ({
    name: `${name} killed`,
    async act(world) {
      kill(world[name === 'NATS' ? 'nats' : 'postgres'].pid);
      change(world);
    },
  });

  return [
    {
      name: '200 alerts of one group fire at once, with long texts',
      async act({ hosts }) {
        hosts.set('InstanceDown', web, true);
        hosts.set('DiskAlmostFull', disks.slice(0, 6), true);
        hosts.set('QueueGrows', queues, true);
      },
    },
    { name: 'alerts fire and resolve', act: async (world) => change(world) },
    killed(['ingest-gateway', 'alert-pipeline']),
    killed(['auth', 'resource-api', 'api-gateway']),
    killed(['workflow-engine', 'notifier']),
    storeKilled('NATS'),
    storeKilled('PostgreSQL'),
    {
      name: 'all services, NATS and PostgreSQL killed',
      async act(world) {
        killAllOfOurs(world);
        change(world);
      },
    },
    theirsKilled('Prometheus'),
    theirsKilled('Alertmanager'),
    {
      name: 'Prometheus, Alertmanager and everything of ours killed',
      async act(world) {
        await Promise.all([world.prometheus.kill(), world.alertmanager.kill()]);
        killAllOfOurs(world);
        change(world);
        await sleep(5000);
        await Promise.all([world.prometheus.start(), world.alertmanager.start()]);
      },
    },
    {
      name: 'everything resolves',
      async act({ hosts }) {
        for (const [rule, names] of Object.entries(watched)) hosts.set(rule, names, false);
      },
    },
  ];
}
