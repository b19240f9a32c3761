/**
 * Connects as each service, to a server with the real accounts, and tries to leave its account: to manage streams and
 * consumers, to read and write what belongs to others, to call what it may not call. Nothing may change or arrive.
 */
import { alertEventsStream, allOperations, auditStream, ingestStream, sendRequest, subjectOf } from '@ams/contracts';
import { removeState, startNats, type EmbeddedNats } from '@ams/embedded';
import { jetstream, type ConsumerInfo, type StreamInfo } from '@nats-io/jetstream';
import type { Msg, NatsConnection } from '@nats-io/transport-node';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { applyBroker, brokerDefaults, keepBroker } from './broker.js';
import { connectNats } from './connection.js';
import { brokerAccount, brokerAdmin, natsAccounts, natsUsers, rightsOf, type NatsUserName } from './permissions.js';
import { managerOf, newsSubject, streams } from './streams.js';

type ServiceUser = Exclude<NatsUserName, typeof brokerAdmin>;
const services = natsUsers.filter((name): name is ServiceUser => name !== brokerAdmin);

let dir: string;
let nats: EmbeddedNats;
let admin: NatsConnection;
const connections = new Map<ServiceUser, NatsConnection>();
/** What arrived at each service from other accounts. */
const arrived = new Map<ServiceUser, Msg[]>();

const connectAs = (user: string): Promise<NatsConnection> =>
  connectNats({ url: nats.url, user, password: user, name: user, inboxPrefix: `_INBOX_${user}` });
const of = (service: ServiceUser): NatsConnection => connections.get(service) as NatsConnection;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ams-permissions-'));
  const accounts = { value: natsAccounts((user) => user), owner: brokerAccount };
  nats = await startNats({ dir, durable: false, accounts });
  admin = await connectAs(brokerAdmin);
  await applyBroker(admin);
  for (const service of services) connections.set(service, await connectAs(service));
  const definitions = Object.values(await infos());
  for (const { config } of definitions)
    await jetstream(admin).publish((config.subjects?.[0] ?? '').replace(/[*>]$/, 'seed'), 'a message');
});

afterAll(async () => {
  await Promise.all([...connections.values(), admin].map((connection) => connection?.close()));
  await nats?.stop();
  removeState(dir);
});

async function infos(): Promise<Record<string, StreamInfo>> {
  const found: Record<string, StreamInfo> = {};
  for await (const info of (await managerOf(admin)).streams.list()) found[info.config.name] = info;
  return found;
}

async function consumerNames(stream: string): Promise<string[]> {
  const found: ConsumerInfo[] = [];
  for await (const info of (await managerOf(admin)).consumers.list(stream)) found.push(info);
  return found.map(({ name }) => name).sort();
}

/** What must stay as it is: settings, consumers and the first message of each stream. */
async function state(): Promise<unknown> {
  const all = await infos();
  return Promise.all(
    Object.entries(all)
      .sort(([a], [b]) => a.localeCompare(b))
      .map(
        async ([
          name,
          {
            config,
            state: { first_seq },
          },
        ]) => ({
          config,
          first_seq,
          consumers: await consumerNames(name),
        }),
      ),
  );
}

const subjectsOf = ({ config }: StreamInfo): string[] => config.subjects ?? [];
const mayWrite = (service: ServiceUser, stream: StreamInfo): boolean =>
  rightsOf(service).broker.some((subject) =>
    subjectsOf(stream).some((one) => subject === one || subject.startsWith(one.replace(/[*>]$/, ''))),
  );
const mayPurge = (service: ServiceUser, name: string): boolean =>
  rightsOf(service).broker.includes(`$JS.API.STREAM.PURGE.${name}`);
/** A subject without wildcards. */
const literal = (subject: string): string => subject.replace(/\*/g, '0').replace(/>$/, 'x');

/** Requests of the JetStream API that change a stream, or make a way out of the account. */
function management(name: string, consumers: string[]): [string, object | null][] {
  const outward = { deliver_subject: 'rpc.clients.create', ack_policy: 'none' };
  return [
    [`$JS.API.STREAM.CREATE.${name}`, { name, subjects: ['rpc.>'] }],
    [`$JS.API.STREAM.UPDATE.${name}`, { name, subjects: ['rpc.>', '_INBOX_api-gateway.>'] }],
    [`$JS.API.STREAM.UPDATE.${name}`, { name, republish: { src: '>', dest: 'evt.audit' } }],
    [`$JS.API.STREAM.DELETE.${name}`, null],
    [`$JS.API.STREAM.PURGE.${name}`, null],
    [`$JS.API.STREAM.MSG.DELETE.${name}`, { seq: 1 }],
    [`$JS.API.STREAM.SNAPSHOT.${name}`, { deliver_subject: '_INBOX_evil' }],
    [`$JS.API.CONSUMER.CREATE.${name}`, { stream_name: name, config: outward }],
    [`$JS.API.CONSUMER.CREATE.${name}.evil`, { stream_name: name, config: { ...outward, name: 'evil' } }],
    [`$JS.API.CONSUMER.CREATE.${name}.evil.x`, { stream_name: name, config: { name: 'evil', filter_subject: 'x' } }],
    [`$JS.API.CONSUMER.DURABLE.CREATE.${name}.evil`, { stream_name: name, config: { durable_name: 'evil' } }],
    ...consumers.map((consumer): [string, null] => [`$JS.API.CONSUMER.DELETE.${name}.${consumer}`, null]),
  ];
}

const newStreams: [string, object][] = [
  { subjects: ['rpc.>'] },
  { subjects: ['_INBOX_api-gateway.>'] },
  { subjects: ['$JS.API.>'] },
  { mirror: { name: auditStream } },
  { sources: [{ name: alertEventsStream }] },
  { subjects: ['new.>'], republish: { src: 'new.>', dest: 'evt.audit' } },
].map((config) => ['$JS.API.STREAM.CREATE.EVIL', { name: 'EVIL', ...config }]);

/** Whether anybody answers within a second. Without a subscriber NATS says so at once. */
async function isAnswered(connection: NatsConnection, subject: string, body: object | null): Promise<boolean> {
  try {
    await connection.request(subject, body === null ? '' : JSON.stringify(body), { timeout: 1000 });
    return true;
  } catch {
    return false;
  }
}

describe.each(services)('%s', (service) => {
  let before: unknown;
  let all: StreamInfo[];

  beforeAll(async () => {
    before = await state();
    all = Object.values(await infos());
    arrived.clear();
  });

  test('cannot manage streams or consumers', async () => {
    const requests = [...newStreams];
    for (const { config } of all)
      requests.push(...(management(config.name, await consumerNames(config.name)) as [string, object][]));
    const forbidden = requests.filter(
      ([subject]) => !(subject.startsWith('$JS.API.STREAM.PURGE.') && mayPurge(service, subject.split('.')[4] ?? '')),
    );
    const answers = await Promise.all(
      forbidden.map(async ([subject, body]) => ({ subject, answered: await isAnswered(of(service), subject, body) })),
    );
    expect(answers.filter(({ answered }) => answered)).toEqual([]);
    expect(await state()).toEqual(before);
  });

  test('cannot have NATS publish where it may not, by the reply subject of a message', async () => {
    const foreign = all.filter((stream) => !mayWrite(service, stream));
    const targets = [
      ...all.flatMap(({ config: { name } }) =>
        mayPurge(service, name) ? [] : [`$JS.API.STREAM.PURGE.${name}`, `$JS.API.STREAM.DELETE.${name}`],
      ),
      ...foreign.flatMap(subjectsOf).map(literal),
      '$JS.API.STREAM.CREATE.EVIL',
    ];
    const created = JSON.stringify({ name: 'EVIL', subjects: ['evil.>'] });
    const own = rightsOf(service).broker;
    for (const subject of own.filter((one) => !one.startsWith('$JS.')).map(literal)) {
      await jetstream(of(service)).publish(subject, created);
      for (const reply of targets) of(service).publish(subject, created, { reply });
    }
    for (const subject of own.filter((one) => /^\$JS\.API\.(DIRECT\.GET|CONSUMER\.MSG\.NEXT)\.[^>]*$/.test(one)))
      for (const reply of targets)
        of(service).publish(literal(subject), JSON.stringify(subject.includes('GET') ? { seq: 2 } : { batch: 1 }), {
          reply,
        });
    await of(service).flush();
    // What the server was asked before is done when it has answered this.
    await state();
    expect(await state()).toEqual(before);
    const after = await infos();
    for (const { config, state: past } of foreign)
      expect([config.name, after[config.name]?.state.last_seq]).toEqual([config.name, past.last_seq]);
  });

  test('cannot read the streams, buckets and consumers of others', async () => {
    const { broker } = rightsOf(service);
    const requests: [string, object | null][] = [];
    for (const { config } of all) {
      const { name } = config;
      requests.push(
        [`$JS.API.STREAM.MSG.GET.${name}`, { seq: 1 }],
        [`$JS.API.DIRECT.GET.${name}`, { seq: 1 }],
        [`$JS.API.STREAM.INFO.${name}`, null],
      );
      for (const consumer of await consumerNames(name))
        requests.push(
          [`$JS.API.CONSUMER.INFO.${name}.${consumer}`, null],
          [`$JS.API.CONSUMER.MSG.NEXT.${name}.${consumer}`, { batch: 1, no_wait: true }],
          [`$JS.ACK.${name}.${consumer}.1.1.1.1.1`, null],
        );
    }
    requests.push(['$JS.API.STREAM.NAMES', null], ['$JS.API.STREAM.LIST', null], ['$SYS.REQ.SERVER.PING', null]);
    const allowed = (subject: string): boolean =>
      broker.some((right) =>
        new RegExp(`^${right.replace(/[$.]/g, '\\$&').replace('*', '[^.]+').replace('>', '.+')}$`).test(subject),
      );
    const answers = await Promise.all(
      requests
        .filter(([subject]) => !allowed(subject))
        .map(async ([subject, body]) => ({ subject, answered: await isAnswered(of(service), subject, body) })),
    );
    expect(answers.filter(({ answered }) => answered)).toEqual([]);
  });

  test('reaches other services with the requests that it may send only, and hears nothing of theirs', async () => {
    const others = services.filter((other) => other !== service);
    const subscriptions = others.map((other) => {
      const messages: Msg[] = [];
      arrived.set(other, messages);
      return of(other).subscribe('>', { callback: (_error, message) => void messages.push(message) });
    });
    await Promise.all(others.map((other) => of(other).flush()));
    const heard: string[] = [];
    const listening = [
      'rpc.>',
      'cmd.>',
      'ctl.>',
      'evt.>',
      'ingest.>',
      'limit.>',
      ...all
        .map(({ config }) => newsSubject(config.name))
        .filter((subject) => !rightsOf(service).follows?.map(newsSubject).includes(subject)),
      '_INBOX_>',
      '$JS.>',
      '$KV.>',
      '$SYS.>',
    ];
    const own = listening
      .filter((subject) => !subject.includes('_INBOX'))
      .map((subject) => of(service).subscribe(subject, { callback: (_e, { subject: s }) => void heard.push(s) }));
    await of(service).flush();
    await jetstream(admin).publish('evt.audit', 'an entry');
    await jetstream(admin).publish(`$KV.integrations.of-${service}`, '{}');
    await jetstream(admin).publish('evt.incident', '{}');
    await admin.flush();
    await of(service).flush();
    expect(heard).toEqual([]);
    for (const one of own) one.unsubscribe();

    const subjects = [
      ...new Set([
        ...allOperations.map(subjectOf),
        ...services.flatMap((other) => [...rightsOf(other).answers, ...rightsOf(other).broker]),
        ...others.flatMap((other) => [`_INBOX_${other}.x`, `_INBOX_${other}.x.y`]),
      ]),
    ].filter((subject) => !rightsOf(service).broker.includes(subject));
    for (const subject of subjects) of(service).publish(literal(subject), '{}');
    await of(service).flush();
    await Promise.all(others.map((other) => of(other).flush()));
    const asked = new Set(rightsOf(service).asks.map(literal));
    for (const other of others) {
      const own = new Set(rightsOf(other).answers.map(literal));
      const news = (rightsOf(other).follows ?? []).map((stream) => newsSubject(stream).replace('>', ''));
      const foreign = (arrived.get(other) ?? []).filter(
        ({ subject }) =>
          !(asked.has(subject) && own.has(subject)) && !news.some((prefix) => subject.startsWith(prefix)),
      );
      expect([other, foreign.map(({ subject }) => subject)]).toEqual([other, []]);
    }
    for (const subscription of subscriptions) subscription.unsubscribe();
    expect(await state()).toEqual(before);
  });
});

test('who follows a stream hears of its messages, without their data, from every publisher', async () => {
  const heard: Msg[] = [];
  const subscription = of('api-gateway').subscribe(newsSubject(alertEventsStream), {
    callback: (_error, message) => void heard.push(message),
  });
  await of('api-gateway').flush();
  for (const service of ['alert-pipeline', 'resource-api'] as const)
    await jetstream(of(service)).publish(service === 'resource-api' ? 'evt.schedule' : 'evt.incident', 'secret');
  while (heard.length < 2) await pause(20);
  expect(heard.map((message) => [message.string(), message.reply ?? ''])).toEqual([
    ['', ''],
    ['', ''],
  ]);
  subscription.unsubscribe();
});

test('only the API gateway may call operations, and only their owner answers them', () => {
  for (const operation of allOperations) {
    const subject = subjectOf(operation);
    expect(services.filter((service) => rightsOf(service).asks.includes(subject))).toEqual(['api-gateway']);
    expect(services.filter((service) => rightsOf(service).answers.includes(subject))).toEqual([operation.owner]);
  }
});

test('only the workflow engine may have notifications sent', () => {
  const { subject } = sendRequest;
  expect(services.filter((service) => rightsOf(service).asks.includes(subject))).toEqual(['workflow-engine']);
});

test('a second run of "broker apply" changes nothing, and a smaller stream that would lose messages is refused', async () => {
  const again = await applyBroker(admin);
  expect(again.filter(({ outcome }) => outcome !== 'same')).toEqual([]);
  const big = 'x'.repeat(4096);
  await jetstream(admin).publish('ingest.events.0', big);
  const { bytes } = (await infos())[ingestStream]?.state ?? { bytes: 0 };
  const settings = { replicas: 1, partitions: 4, streamMaxBytes: bytes - 1, limit: 60, limitWindowSeconds: 60 };
  await expect(applyBroker(admin, settings)).rejects.toMatchObject({ name: 'LossOfMessages' });
  const changed = await applyBroker(admin, { ...settings, streamMaxBytes: 2 * 1024 * 1024 * 1024, limit: 90 });
  expect(changed.filter(({ outcome }) => outcome === 'changed').map(({ name }) => name)).toEqual([
    `stream ${ingestStream}`,
    `stream ${streams.ingestLimit(1, 1000).name}`,
  ]);
});

test('the stream of the limits, which is lost with a restart, is made again', async () => {
  const { name } = streams.ingestLimit(1, 1000);
  const keeper = await keepBroker(admin, brokerDefaults, { everyMs: 600_000 });
  await nats.restart();
  while (!Object.hasOwn(await infos().catch(() => ({})), name)) await pause(50);
  await keeper.stop();
});

test('streams of a server that had no accounts are those of the account of the streams after an upgrade', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'ams-upgrade-'));
  const before = await startNats({ dir: folder, durable: false });
  const stranger = await connectNats({ url: before.url, name: 'before' });
  await applyBroker(stranger);
  await jetstream(stranger).publish('ingest.events.1', 'kept');
  await stranger.close();
  await before.stop();
  const after = await startNats({
    dir: folder,
    durable: false,
    accounts: { value: natsAccounts((user) => user), owner: brokerAccount },
  });
  const user = { user: brokerAdmin, password: brokerAdmin };
  const operator = await connectNats({ url: after.url, ...user, name: 'after' });
  const message = await (await managerOf(operator)).streams.getMessage(ingestStream, { seq: 1 });
  expect(message?.string()).toBe('kept');
  await operator.close();
  await after.stop();
  removeState(folder);
});
