/** 20,000 connections that send slowly, from 100 addresses: what senders and callers get meanwhile. */
import { openSlowSenders } from '../scenarios/slow-senders.js';
import { startSystem, type System } from '../system.js';

let system: System;
beforeAll(async () => {
  system = await startSystem({ limits: 'high' });
});
afterAll(() => system?.stop());

const rounds = 300;

const percentile = (sorted: readonly number[], share: number): number =>
  Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);

async function measure(requests: Record<string, () => Promise<number>>): Promise<Record<string, string>> {
  const figures: Record<string, string> = {};
  for (const [name, send] of Object.entries(requests)) {
    const durations: number[] = [];
    for (let n = 0; n < rounds; n++) {
      const began = performance.now();
      const status = await send();
      durations.push(performance.now() - began);
      expect([name, status]).toEqual([name, name.startsWith('read') ? 200 : 202]);
    }
    durations.sort((a, b) => a - b);
    figures[name] = `p50 ${percentile(durations, 0.5)} ms, p99 ${percentile(durations, 0.99)} ms`;
  }
  return figures;
}

it('every request of senders and callers is served while 20,000 connections send slowly', async () => {
  const acme = await system.organization();
  const { token } = await acme.integration();
  const [gateway, ingest] = (['api-gateway', 'ingest-gateway'] as const).map((name) => system.replicas(name)[0]!);
  let n = 0;
  const post = (url: string) => async () => {
    const alert = { title: `Disk ${n++ % 10}`, severity: 'high' };
    const body = JSON.stringify(alert);
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
    const answer = await fetch(`${url}/api/inbound/webhook/${token}`, init);
    await answer.arrayBuffer();
    return answer.status;
  };
  const requests = {
    'webhook, API gateway': post(gateway!.url),
    'webhook, ingest gateway': post(ingest!.url),
    'read of alerts': async () => {
      const answer = await fetch(`${gateway!.url}/api/v1/alerts`, { headers: { authorization: `Bearer ${acme.key}` } });
      await answer.arrayBuffer();
      return answer.status;
    },
  };
  const before = await measure(requests);
  const slow = await openSlowSenders([gateway!.port, ingest!.port], { connections: 10_000, addresses: 50 });
  try {
    const open = slow.open;
    const meanwhile = await measure(requests);
    console.info({ before, meanwhile, connections: { open, openAtTheEnd: slow.open, closed: slow.closed } });
    expect(slow.open).toBeGreaterThan(10_000);
  } finally {
    await slow.stop();
  }
  expect(system.allReplicas.every(({ running }) => running)).toBe(true);
});
