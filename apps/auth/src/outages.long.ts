/** Outages: no admission and no audit entry is lost. The tests have their own servers, which sync to the disk. */
import { auditStream, auditSubject, createApiKey, newUuid, type AdmitReply, type AuditRecord } from '@ams/contracts';
import { eventually, startTestInfrastructure, testNatsUrl, type TestInfrastructure, streamManager } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Replicas, type TestKey } from '../testing/replicas.js';

let servers: TestInfrastructure;
let replicas: Replicas;
/** A window without an end: the tests compare its count with the requests of a whole test. */
const limits = { API_LIMIT_PER_MINUTE: '1000000', API_LIMIT_WINDOW_SECONDS: '3600' };

beforeAll(async () => {
  servers = await startTestInfrastructure({ durable: true });
  replicas = await Replicas.start(2, { ...limits, LOG_LEVEL: 'warn' }, servers);
});
afterAll(async () => {
  await replicas.stop();
  await servers.stop();
});

const usesOf = async (organizationId: string): Promise<string[]> =>
  (
    await replicas.database.query<{ id: string }>(
      "SELECT id FROM auth.audit_log WHERE organization_id = $1 AND type = 'api_key.used' ORDER BY id",
      [organizationId],
    )
  ).map(({ id }) => id);

/** Repeats a request, with the same use id, until it is admitted. Returns the use id. */
async function insist(key: string, seen: AdmitReply['kind'][]): Promise<string> {
  const useId = newUuid();
  for (;;) {
    const reply = await replicas.admit(key, { useId }, 1000).catch((): AdmitReply => ({ kind: 'unavailable' }));
    seen.push(reply.kind);
    if (reply.kind === 'admitted') return useId;
    if (reply.kind !== 'unavailable') throw new Error(reply.kind);
    await pause(20);
  }
}

/** 16 workers send one request after another, while `disturb` runs and for a short time after it. */
async function underLoad(
  { key }: TestKey,
  disturb: () => Promise<void>,
): Promise<{ uses: string[]; seen: AdmitReply['kind'][] }> {
  const uses: string[] = [];
  const seen: AdmitReply['kind'][] = [];
  let over = false;
  const workers = Array.from({ length: 16 }, async () => {
    // The pause leaves processor time for the processes that start meanwhile.
    for (; !over; await pause(10)) uses.push(await insist(key, seen));
  });
  await pause(100);
  await disturb();
  await pause(200);
  over = true;
  await Promise.all(workers);
  return { uses, seen };
}

const someone = async () => replicas.newOrganizationKey();
const windowOf = async (organizationId: string): Promise<number> =>
  (
    await replicas.database.query<{ used: number }>(
      'SELECT used FROM auth.request_windows WHERE organization_id = $1',
      [organizationId],
    )
  )[0]?.used ?? 0;

it('replies "unavailable" at once while the database cannot be reached, and admits again afterwards', async () => {
  const caller = await someone();
  const { organizationId } = caller.principal;
  const { uses, seen } = await underLoad(caller, async () => {
    await servers.postgres.kill();
    const began = performance.now();
    expect(await replicas.admit(caller.key)).toEqual({ kind: 'unavailable' });
    expect(performance.now() - began).toBeLessThan(8000);
    expect(
      await replicas.call(createApiKey, caller.principal, {
        body: { name: 'k', scopes: ['alerts:read'] },
      }),
    ).toMatchObject({ ok: false, code: 'UNAVAILABLE' });
    const ready = await fetch(`http://127.0.0.1:${replicas.services[0]?.port}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      error: { database: { status: 'down', message: 'the database does not respond' } },
    });
    await servers.postgres.restart();
  });
  expect(seen).toContain('unavailable');
  expect(await usesOf(organizationId)).toEqual([...uses].sort());
  expect(await windowOf(organizationId)).toBe(uses.length);
});

it('limits the time and the number of waiting requests while the database does not respond', async () => {
  const small = await Replicas.start(
    1,
    { ADMISSION_TIMEOUT_MS: '300', ADMISSION_QUEUE: '100' },
    { ...servers, natsUrl: testNatsUrl() },
  );
  try {
    const { key } = await small.newOrganizationKey();
    let longest = 0;
    await small.database.asService(async (tx) => {
      await tx.query('LOCK TABLE auth.request_windows');
      const replies = await Promise.all(
        Array.from({ length: 300 }, async () => {
          const began = performance.now();
          const { kind } = await small.admit(key);
          longest = Math.max(longest, performance.now() - began);
          return kind;
        }),
      );
      expect(new Set(replies)).toEqual(new Set(['unavailable']));
    });
    expect(longest).toBeLessThan(4000);
    expect(await small.admit(key)).toMatchObject({ kind: 'admitted' });
    const metrics = await (await fetch(`http://127.0.0.1:${small.services[0]?.port}/metrics`)).text();
    expect(metrics).toMatch(/ams_admissions_total\{outcome="unavailable",service="auth"\} 300/);
    expect(metrics).toMatch(
      /ams_rpc_requests_total\{subject="rpc.auth.admit",outcome="UNAVAILABLE",service="auth"\} 300/,
    );
  } finally {
    await small.stop();
  }
});

it('adds one audit entry for every admitted request, whichever process is killed', async () => {
  const caller = await someone();
  const main = join(import.meta.dirname, 'main.ts');
  const hooks = join(import.meta.dirname, '../../../libs/testing/jest/register-typescript.mjs');
  const launch = async (): Promise<ChildProcess> => {
    const child = spawn(process.execPath, ['--import', hooks, main], {
      env: {
        PATH: process.env['PATH'],
        HTTP_HOST: '127.0.0.1',
        HTTP_PORT: '0',
        NATS_URL: servers.natsUrl,
        DATABASE_URL: replicas.databaseUrl,
        ...limits,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await new Promise<void>((resolve) =>
      child.stdout?.on('data', (chunk) => String(chunk).includes('"ready"') && resolve()),
    );
    return child;
  };
  const { uses } = await underLoad(caller, async () => {
    for (let round = 0; round < 3; round++) {
      const child = await launch();
      await pause(150);
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  });
  expect(await usesOf(caller.principal.organizationId)).toEqual([...uses].sort());
  expect(await windowOf(caller.principal.organizationId)).toBe(uses.length);
});

it('replies to every accepted request when a replica is stopped', async () => {
  const caller = await someone();
  const { seen } = await underLoad(caller, async () => {
    const replica = await replicas.startOne();
    await pause(100);
    await replica.stop();
  });
  expect(new Set(seen)).toEqual(new Set(['admitted']));
});

describe('the intake', () => {
  const record = (organizationId: string): AuditRecord => ({
    id: newUuid(),
    organizationId,
    environment: 'live',
    type: 'integration.updated',
    occurredAt: new Date().toISOString(),
    actor: { type: 'service', id: null, name: 'test' },
    ip: null,
    userAgent: null,
    requestId: null,
    resource: null,
    changes: [],
  });
  const publish = async (entry: AuditRecord): Promise<void> => {
    await eventually(() =>
      jetstream(replicas.nats).publish(auditSubject, JSON.stringify(entry), { msgID: entry.id, timeout: 500 }),
    );
  };
  const stored = (organizationId: string) =>
    replicas.database.query<{ id: string }>('SELECT id FROM auth.audit_log WHERE organization_id = $1', [
      organizationId,
    ]);

  it('continues after NATS was killed, the database was killed, and the stream was lost', async () => {
    const organizationId = await replicas.newOrganization();
    const entries = Array.from({ length: 200 }, () => record(organizationId));
    const publishing = (async () => {
      for (const entry of entries.slice(0, 150)) await publish(entry);
    })();
    await pause(50);
    await servers.nats.kill();
    await servers.nats.restart();
    await pause(50);
    await servers.postgres.kill();
    await pause(300);
    await servers.postgres.restart();
    await publishing;
    await eventually(async () => expect(await stored(organizationId)).toHaveLength(150), { everyMs: 200 });

    const manager = await streamManager(replicas.nats);
    await eventually(async () => expect((await manager.streams.info(auditStream)).state.messages).toBe(0));
    await manager.streams.delete(auditStream);
    for (const entry of entries.slice(150)) await publish(entry);
    await eventually(async () => expect(await stored(organizationId)).toHaveLength(200), { everyMs: 200 });
  });
});
