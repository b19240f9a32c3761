import { promises as dns } from 'node:dns';
import { startNameServer } from '../../testing/name-server.js';
import { queryDns, queryTexts, Resolver } from './resolver.js';

let resolve: (name: string) => Promise<string[]>;
let texts: (name: string) => Promise<string[][]>;
let stop: () => Promise<void>;

beforeAll(async () => {
  const server = await startNameServer({
    'both.test': ['93.184.216.34', '10.0.0.1', '2606:2800:220:1:248:1893:25c8:1946'],
    'four.test': ['93.184.216.34'],
    'six.test': ['2606:2800:220:1:248:1893:25c8:1946'],
    'none.test': [],
    'text.test': { texts: [['v=spf1 -all'], ['ams-verify=', 'abc']] },
    'failing.test': 'SERVFAIL',
    'silent.test': 'SILENCE',
  });
  const resolver = new dns.Resolver({ timeout: 100, tries: 1 });
  resolver.setServers([server.address]);
  resolve = (name) => queryDns(resolver, name);
  texts = (name) => queryTexts(resolver, name);
  stop = server.stop;
});
afterAll(() => stop());

test.each([
  ['both.test', ['93.184.216.34', '10.0.0.1', '2606:2800:220:1:248:1893:25c8:1946']],
  ['four.test', ['93.184.216.34']],
  ['six.test', ['2606:2800:220:1:248:1893:25c8:1946']],
  ['none.test', []],
  ['unknown.test', []],
])('%s has the addresses %j', async (name, addresses) => expect(await resolve(name)).toEqual(addresses));

test.each([
  ['failing.test', 'ESERVFAIL'],
  ['silent.test', 'ETIMEOUT'],
])('%s cannot be resolved now: %s', async (name, code) => {
  await expect(resolve(name)).rejects.toMatchObject({ code });
});

test('TXT records are read with their parts; a name without one has none', async () => {
  expect((await texts('text.test')).sort()).toEqual([['ams-verify=', 'abc'], ['v=spf1 -all']]);
  expect(await texts('none.test')).toEqual([]);
  expect(await texts('unknown.test')).toEqual([]);
  await expect(texts('failing.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(texts('silent.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
});

test('the hosts file of this machine is used only for names that the operator allows', async () => {
  expect(await new Resolver().onThisMachine('localhost')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(127\.0\.0\.1|::1)$/)]),
  );
  expect(await resolve('localhost')).toEqual([]);
});
