/** NATS is stopped, loses its data, or its connections become half-open. */
import { publicId } from '@ams/contracts';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Fault, FaultRun } from './fault.js';
import { acceptedIdsOf, appliedOf, query } from './judge.js';
import { proxied } from './postgres.js';

const away: Fault = {
  name: 'nats-away-60',
  class: 'nats',
  what: 'NATS is stopped for 60 s.',
  seconds: 60,
  inject: ({ system }) => system.nats.stop(),
  end: ({ system }) => system.nats.restart(),
};

/** Records what only NATS had: accepted events that are not applied, and alerts that no workflow has seen. */
async function noteDestroyed(run: FaultRun): Promise<void> {
  const { destroyed, load } = run;
  const accepted = acceptedIdsOf(load);
  const applied = await appliedOf(run, accepted);
  for (const id of accepted) if (!applied.has(id)) destroyed.eventIds.add(id);
  const unseen = await query<{ alert_id: string }>(
    run,
    `SELECT DISTINCT t.alert_id FROM alerts.timeline t WHERE t.type IN ('alert.created', 'alert.resolved')
       AND NOT EXISTS (SELECT FROM workflows.runs r WHERE r.alert_id = t.alert_id AND r.event_type = t.type)`,
    [],
  );
  for (const { alert_id } of unseen) destroyed.alertIds.add(publicId('alert', alert_id));
  destroyed.idempotencyKeys = true;
  run.log(`NATS loses ${destroyed.eventIds.size} events and the domain events of ${destroyed.alertIds.size} alerts`);
}

/** The text that the logs of both readers must contain. */
const loudMessage = 'NATS has lost';

const dataLost: Fault = {
  name: 'nats-data-lost',
  class: 'nats',
  what: 'NATS starts again without its data: what it had stored and nobody had read is lost, and the log says so.',
  quick: true,
  seconds: 3,
  async inject(run) {
    const { system } = run;
    // Something must be stored that is not read.
    const readers = [...system.replicas('alert-pipeline'), ...system.replicas('workflow-engine')];
    for (const { pid } of readers) process.kill(pid, 'SIGSTOP');
    await pause(1500);
    await system.nats.kill();
    for (const { pid } of readers) process.kill(pid, 'SIGCONT');
  },
  async end(run) {
    await noteDestroyed(run);
    rmSync(join(run.system.dir, 'nats', 'jetstream'), { recursive: true });
    await run.system.nats.restart();
  },
  async check({ system, destroyed }) {
    if (destroyed.eventIds.size === 0) return ['NATS had no unread events to lose: the fault tests nothing'];
    const silent = (['alert-pipeline', 'workflow-engine'] as const).filter(
      (service) => !system.replicas(service).some((replica) => replica.log().includes(loudMessage)),
    );
    return silent.map((service) => `no log of ${service} contains: ${loudMessage}`);
  },
};

const halfOpen: Fault = {
  name: 'nats-half-open',
  class: 'nats',
  what: 'All connections to NATS become half-open: no more bytes arrive. New connections work.',
  quick: true,
  system: proxied,
  seconds: 0,
  inject: async ({ system }) => system.proxies?.nats.silence(),
};

const unreachable: Fault = {
  name: 'nats-unreachable-60',
  class: 'nats',
  what: 'No byte reaches NATS for 60 s. Connections are accepted, but those of this time never work.',
  system: proxied,
  seconds: 60,
  async inject({ system }) {
    system.proxies?.nats.silenceNew(true);
    system.proxies?.nats.silence();
  },
  end: async ({ system }) => system.proxies?.nats.silenceNew(false),
};

export const natsFaults: readonly Fault[] = [away, dataLost, halfOpen, unreachable];
