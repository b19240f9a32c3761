/** Many teams by the script in docs/paging.md, and who is paged then. */
import type { Alert, Notification } from '@ams/contracts';
import { eventually } from '@ams/testing';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from './system/replica.js';
import { sharedSystem } from './system/shared-system.js';
import type { List, Organization, Sender, SystemClient } from './system.js';

let system: SystemClient;
let acme: Organization;
let sender: Sender;

beforeAll(async () => {
  system = await sharedSystem();
  acme = await system.organization();
  sender = await acme.integration();
});
afterAll(() => system?.close());

/** Runs the script of the page as its reader does. Returns what it prints. */
async function runScript(): Promise<string> {
  const page = await readFile(join(root, 'docs/paging.md'), 'utf8');
  const script = /^## Many teams by a script\n[^]*?^```js\n([^]*?)^```$/m.exec(page)?.[1] ?? '';
  const env = { PATH: process.env['PATH'], API: `${system.address.gateways[0]}/api/v1`, KEY: acme.key };
  const run = promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  return (await run).stdout;
}

/** Why somebody is told about an alert of this team. */
async function whyTold(team: string): Promise<string[]> {
  const fingerprint = crypto.randomUUID();
  await sender.fire({ title: 'Checkout is slow', severity: 'critical', fingerprint, labels: { team } });
  return eventually(async () => {
    const [alert] = (await acme.alerts({ fingerprint })) as [Alert];
    const query = { alertId: alert.id };
    const { data } = (await acme.api.get<List<Notification>>('/api/v1/notifications', { query })).body;
    if (data.length === 0) throw new Error('nobody is told yet');
    return data.map(({ target, why }) => `${target}: ${why}`);
  });
}

it('makes forty teams in under 50 KB and one minute of requests, and an alert pages the team that its label names', async () => {
  const [, teams, bytes, requests] = /^(\d+) teams: (\d+) bytes of JSON, (\d+) requests/.exec(await runScript()) ?? [];
  expect(teams).toBe('40');
  expect(Number(bytes)).toBeLessThan(50_000);
  expect(Number(requests)).toBeLessThan(300);
  expect(await runScript()).toMatch(/^0 teams: 0 bytes/);

  expect(await whyTold('Team-17')).toEqual([expect.stringMatching(/^ben@example.com: You are on call in "team-17"/)]);
  expect(await whyTold('team-41')).toEqual([expect.stringMatching(/^owner@example.com: You are on call in "Default"/)]);
});
