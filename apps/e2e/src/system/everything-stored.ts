/** All data of an installation as text: rows of every table, messages of every stream, logs, metrics. */
import { managerOf } from '@ams/messaging';
import type { System } from '../system.js';

export interface Kept {
  where: string;
  text: string;
}

export async function everythingStored(system: System): Promise<Kept[]> {
  const metrics = await Promise.all(
    system.allReplicas.map(async ({ name, managementUrl }) => ({
      where: `metrics of ${name}`,
      text: await (await fetch(`${managementUrl}/metrics`)).text(),
    })),
  );
  const logs = system.allReplicas.map((replica) => ({ where: `log of ${replica.name}`, text: replica.log() }));
  return [...(await rows(system)), ...(await messages(system)), ...logs, ...metrics];
}

async function rows(system: System): Promise<Kept[]> {
  const tables = await system.sql<{ name: string }>(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema IN ('auth', 'resources', 'alerts', 'workflows', 'workflow_jobs', 'public')`,
  );
  const kept = await Promise.all(
    tables.map(async ({ name }) => ({
      name,
      all: await system.sql<{ text: string }>(`SELECT t::text AS text FROM ${name} t`),
    })),
  );
  return kept.flatMap(({ name, all }) => all.map(({ text }) => ({ where: `table ${name}`, text })));
}

const messages = (system: System): Promise<Kept[]> =>
  system.observe(async (broker) => {
    const manager = await managerOf(broker);
    const kept: Kept[] = [];
    for await (const { config, state } of manager.streams.list()) {
      for (let seq = state.first_seq; seq <= state.last_seq && state.messages > 0; seq++) {
        const message = await manager.streams.getMessage(config.name, { seq }).catch(() => null);
        if (message)
          kept.push({
            where: `stream ${config.name}`,
            text: `${message.subject} ${JSON.stringify([...message.header])} ${new TextDecoder().decode(message.data)}`,
          });
      }
    }
    return kept;
  });
