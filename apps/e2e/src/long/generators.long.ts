/** Other client generators with the running system. Needs the npm registry, because it installs the generators. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sharedSystem } from '../system/shared-system.js';

const tool = join(import.meta.dirname, '../../../../tools/try-generators.mjs');

it('clients of other generators compile, list alerts, and parse the answers of all lists', async () => {
  const system = await sharedSystem();
  const acme = await system.organization();
  const sender = await acme.integration();
  await sender.fire([
    { title: 'High CPU', severity: 'high', fingerprint: 'cpu' },
    { title: 'Disk is full', severity: 'low', fingerprint: 'disk', status: 'acknowledged' },
  ]);
  const url = `${system.address.gateways[0]}/api/v1`;
  // An error is only its output: the message of execFile has the key.
  const output = await promisify(execFile)(process.execPath, [tool, url, acme.key]).then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}${stderr}`,
  );
  system.close();
  for (const generator of ['@hey-api/openapi-ts', 'orval', 'openapi-zod-client'])
    expect(output).toContain(`${generator}: 2 alerts`);
  expect(output).toMatch(/openapi-zod-client: the answers of \d+ lists\n$/);
});
