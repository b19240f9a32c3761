/** Payloads of real senders (libs/domain/src/testdata/payloads), sent through the whole gateway with their presets. */
import { isIntegrationType, presetSettings } from '@ams/domain';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { post, startWorld, type World } from '../../testing/harness.js';

interface Sender {
  sender: string;
  contentType: string;
  samples: Record<string, unknown>;
  expect: Record<
    string,
    { alerts?: { status?: string; error?: string; fingerprint?: string }[]; handshake?: unknown; ignored?: unknown }
  >;
}

const folder = join(import.meta.dirname, '../../../../libs/domain/src/testdata/payloads');
const types: Record<string, string> = {
  standard: 'generic',
  'aws-cloudwatch-sns': 'cloudwatch',
  icinga2: 'icinga',
  newrelic: 'new_relic',
  'healthchecks-io': 'healthchecks',
};
const cases = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Sender)
  .flatMap((sender) => Object.keys(sender.samples).map((sample) => [sender.sender, sample, sender] as const));

let world: World;
let url: string;
beforeAll(async () => {
  world = await startWorld();
  // Tests send nothing to the internet: the confirmation of the SNS sample would go to Amazon.
  ({ url } = await world.gateway({}, () => Promise.reject(new Error('no internet in tests'))));
});
afterAll(() => world.end());

it.each(cases)('%s: %s', async (name, sample, { contentType, samples, expect: expected }) => {
  const type = types[name] ?? name.replaceAll('-', '_');
  if (!isIntegrationType(type)) throw new Error(`no preset ${type}`);
  const { token, integration } = await world.integration({ settings: presetSettings(type) });
  const body = samples[sample];
  const alerts = expected[sample]?.alerts ?? [];
  const good = alerts.filter(({ error }) => error === undefined);

  const answer = await post(url, token, typeof body === 'string' ? body : JSON.stringify(body), {
    'content-type': contentType.replace(/^.*Content-Type: /, ''),
  });
  const stored = (await world.events()).filter((event) => event.integrationId === integration.id);
  expect(answer.status).toBe(good.length > 0 ? 202 : alerts.length > 0 ? 400 : 200);
  expect(stored.map(({ status }) => status).sort()).toEqual(good.map(({ status }) => status).sort());
});
