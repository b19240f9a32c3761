/** Slow senders against both gateways of a system: the short form of `long/slow-senders.long.ts`. */
import { openSlowSenders } from './scenarios/slow-senders.js';
import { sharedSystem, type SharedSystem } from './system/shared-system.js';

let system: SharedSystem;
beforeAll(async () => {
  system = await sharedSystem();
});
afterAll(() => system?.close());

test('senders and callers are served while 300 connections to each gateway send slowly', async () => {
  const { gateways, ingestGateways } = system.address;
  const urls = [gateways[0] as string, ingestGateways[0] as string];
  const acme = await system.organization();
  const { token } = await acme.integration();
  const slow = await openSlowSenders(
    urls.map((url) => Number(new URL(url).port)),
    { connections: 300, addresses: 1 },
  );
  try {
    for (let n = 0; n < 10; n++) {
      for (const url of urls) {
        const alert = { title: `Disk ${n}`, severity: 'high', routing_key: token };
        const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(alert) };
        expect((await fetch(`${url}/api/inbound/webhook/${token}`, post)).status).toBe(202);
      }
      const read = await fetch(`${urls[0]}/api/v1/alerts`, { headers: { authorization: `Bearer ${acme.key}` } });
      expect(read.status).toBe(200);
    }
    expect(slow.open).toBeGreaterThan(100);
  } finally {
    await slow.stop();
  }
});
