/** The audit log as syslog, to real listeners over TCP and TLS: at least once, in order, and nothing else waits for it. */
import { newUuid, publicId, type AuditRecord } from '@ams/contracts';
import { eventually, makeAuthority } from '@ams/testing';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createServer as createTlsServer } from 'node:tls';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Replicas } from '../../testing/replicas.js';
import { AuthSettings } from '../settings.js';
import { addAuditEntries } from './audit-entries.js';
import { sendConfirmed } from './syslog-connection.js';
import { holdsSending, moveOn, nextBatch, unsent } from './syslog-lines.js';

const dir = mkdtempSync(join(tmpdir(), `ams-test-${process.pid}-`));
const noTls = { caFile: undefined, certFile: undefined, keyFile: undefined };

/** What a collector has read, as `[sequence, organization]`. */
interface Received {
  header: string;
  sequence: number;
  organizationId: string;
  entry: { type: string; changes?: unknown[] };
}

class Collector {
  readonly received: Received[] = [];
  connections = 0;
  /** What happens to a connection. The default reads everything, and closes when the sender has closed. */
  handle: (socket: Socket) => void = (socket) => this.read(socket);
  private readonly open = new Set<Socket>();

  private constructor(readonly server: Server) {
    server.on('error', () => undefined);
    // Also those below TLS, whose handshake may fail.
    server.on('connection', (socket: Socket) => void this.open.add(socket));
  }

  static async start(tls?: { cert: Buffer; key: Buffer; ca: Buffer }): Promise<Collector> {
    const options = { ...tls, requestCert: true, rejectUnauthorized: true, allowHalfOpen: true };
    const accept = (socket: Socket): void => collector.accept(socket);
    const server = tls ? createTlsServer(options, accept) : createServer({ allowHalfOpen: true }, accept);
    const collector = new Collector(server);
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  async stop(): Promise<void> {
    for (const socket of this.open) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private accept(socket: Socket): void {
    this.connections++;
    this.open.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => this.open.delete(socket));
    this.handle(socket);
  }

  read(socket: Socket): void {
    let bytes = Buffer.alloc(0);
    socket.on('data', (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const space = bytes.indexOf(' ');
        const length = Number(bytes.subarray(0, Math.max(0, space)).toString());
        if (space < 1 || bytes.length < space + 1 + length) return;
        this.take(bytes.subarray(space + 1, space + 1 + length).toString());
        bytes = bytes.subarray(space + 1 + length);
      }
    });
    socket.on('end', () => socket.end());
  }

  private take(message: string): void {
    const parts = message.split(' ');
    const body = JSON.parse(parts.slice(7).join(' ')) as Received;
    this.received.push({ ...body, header: parts.slice(0, 7).join(' ') });
  }

  /** The sequences of an organization, each once, in the order in which they came first. */
  sequencesOf(organizationId: string): number[] {
    const id = publicId('organization', organizationId);
    return [...new Set(this.received.filter((line) => line.organizationId === id).map(({ sequence }) => sequence))];
  }
}

const oneTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1);

const recordsOf = (organizationId: string, count: number, more: Partial<AuditRecord> = {}): AuditRecord[] =>
  Array.from({ length: count }, () => ({
    id: newUuid(),
    organizationId,
    environment: 'live' as const,
    type: 'client.updated',
    occurredAt: new Date().toISOString(),
    actor: { type: 'user' as const, id: 'usr_1', name: 'Mïra\n' },
    ip: null,
    userAgent: null,
    requestId: null,
    resource: { type: 'client', id: 'cli_1' },
    changes: [],
    ...more,
  }));

let replicas: Replicas;
let collector: Collector;
beforeAll(async () => {
  [replicas, collector] = await Promise.all([Replicas.start(0), Collector.start()]);
});
afterEach(async () => {
  await Promise.all(replicas.services.splice(0).map((service) => service.stop()));
});
afterAll(async () => {
  await Promise.all([replicas?.stop(), collector?.stop()]);
  rmSync(dir, { recursive: true });
});

const start = (more: Partial<AuthSettings> = {}) =>
  replicas.startOne({ auditSyslogUrl: `tcp://127.0.0.1:${collector.port}`, ...more });

const metricsOf = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();

it('two replicas send each line in order, and a replica that starts later goes on where they were', async () => {
  const [many, few] = [await replicas.newOrganization(), await replicas.newOrganization()];
  await addAuditEntries(replicas.database, [
    ...recordsOf(many, 450),
    ...recordsOf(few, 1, {
      type: 'member.sign_in_failed',
      changes: [{ field: 'x', before: 'y'.repeat(20_000), after: 1 }],
    }),
  ]);
  const [one] = await Promise.all([start(), start()]);
  await eventually(() => expect(collector.sequencesOf(many)).toEqual(oneTo(450)));
  await eventually(() => expect(collector.sequencesOf(few)).toEqual([1]));
  const [failed] = collector.received.filter(({ organizationId }) => organizationId === publicId('organization', few));
  expect(failed?.header).toMatch(/^<108>1 \S+Z \S+ ams - member\.sign_in_failed -$/);
  expect(failed).toMatchObject({ truncated: true, entry: { changes: [{ field: 'x' }], actor: { name: 'Mïra\n' } } });
  await eventually(async () => expect(await unsent(replicas.database)).toMatchObject({ lines: 0 }));
  await eventually(async () => expect(await metricsOf(one.port)).toMatch(/ams_audit_syslog_unsent_entries\{.*\} 0\n/));
  await Promise.all(replicas.services.splice(0).map((service) => service.stop()));

  const before = collector.received.length;
  await addAuditEntries(replicas.database, recordsOf(many, 5));
  // The replica that sent has stopped: its time is over.
  await replicas.sql.query(`UPDATE auth.audit_syslog_sender SET until = now() - interval '1 second'`);
  await start();
  await eventually(() => expect(collector.sequencesOf(many)).toEqual(oneTo(455)));
  expect(collector.received.length - before).toBe(5);
});

it.each<[string, (socket: Socket) => void]>([
  [
    'resets the connection after it has read a part',
    (socket) => void socket.once('data', () => socket.resetAndDestroy()),
  ],
  ['closes at once without reading', (socket) => void socket.pause().end()],
  ['ends with unread bytes', (socket) => void setTimeout(() => socket.pause().destroy(), 50)],
])('lines are sent again to a collector that %s', async (_what, fault) => {
  const organization = await replicas.newOrganization();
  await addAuditEntries(replicas.database, recordsOf(organization, 40));
  const { connections } = collector;
  collector.handle = fault;
  const service = await start();
  await replicas.sql.query(`UPDATE auth.audit_syslog_sender SET until = now() - interval '1 second'`);
  await eventually(() => expect(collector.connections).toBeGreaterThanOrEqual(connections + 2));
  // Entries are stored and linked meanwhile, and the service is ready.
  await addAuditEntries(replicas.database, recordsOf(organization, 2));
  await eventually(async () =>
    expect(
      await replicas.database.query('SELECT FROM auth.audit_links WHERE organization_id = $1', [organization]),
    ).toHaveLength(42),
  );
  expect((await fetch(`http://127.0.0.1:${service.port}/readyz`)).status).toBe(200);
  expect(await metricsOf(service.port)).toMatch(/ams_audit_syslog_failures_total\{.*\} [1-9]/);
  expect(await metricsOf(service.port)).toMatch(/ams_audit_syslog_sent_total\{.*\} 0\n/);
  collector.handle = (socket) => collector.read(socket);
  await eventually(() => expect(collector.sequencesOf(organization)).toEqual(oneTo(42)));
});

/** Of this process. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

it('a collector that reads nothing is given up after a time, and nothing counts as sent', async () => {
  collector.handle = (socket) => void socket.pause();
  const never = new AbortController().signal;
  const url = new URL(`tcp://127.0.0.1:${collector.port}`);
  const frames = Array.from({ length: 200 }, () => '65536 '.padEnd(65_536, 'x'));
  await expect(sendConfirmed({ url, tls: noTls }, frames, { timeoutMs: 1000, graceMs: 1 }, never)).rejects.toThrow(
    'the collector did not read everything and close in 1 s',
  );
  await expect(sendConfirmed({ url, tls: noTls }, ['1 x'], { timeoutMs: 1000, graceMs: 1 }, never)).rejects.toThrow(
    'the collector did not read everything',
  );
  const sending = sendConfirmed({ url, tls: noTls }, ['1 x'], { timeoutMs: 1000, graceMs: 1 }, never);
  const ended = expect(sending).rejects.toThrow('the collector did not read everything');
  await pause(200);
  collectGarbage();
  await ended;
  collector.handle = (socket) => collector.read(socket);
});

it('one replica sends at a time, until its time is over; a position does not go back', async () => {
  const organizationId = await replicas.newOrganization();
  const [a, b] = [newUuid(), newUuid()];
  await replicas.sql.query('DELETE FROM auth.audit_syslog_sender');
  expect(await holdsSending(replicas.database, a, 60)).toBe(true);
  expect(await holdsSending(replicas.database, b, 60)).toBe(false);
  expect(await holdsSending(replicas.database, a, -1)).toBe(true);
  expect(await holdsSending(replicas.database, b, -1)).toBe(true);
  const at = (sequence: number) => ({ organizationId, environment: 'live', sequence });
  await moveOn(replicas.database, [at(7)]);
  await moveOn(replicas.database, [at(3)]);
  expect(
    await replicas.database.query('SELECT sequence FROM auth.audit_syslog_positions WHERE organization_id = $1', [
      organizationId,
    ]),
  ).toEqual([{ sequence: '7' }]);
});

it('lines that were deleted before they were sent are counted', async () => {
  const organizationId = await replicas.newOrganization();
  await addAuditEntries(replicas.database, recordsOf(organizationId, 9));
  const linking = await replicas.startOne();
  await eventually(async () =>
    expect(
      await replicas.database.query('SELECT FROM auth.audit_links WHERE organization_id = $1', [organizationId]),
    ).toHaveLength(9),
  );
  await linking.stop();
  await moveOn(replicas.database, [{ organizationId, environment: 'live', sequence: 2 }]);
  await replicas.sql.query('DELETE FROM auth.audit_links WHERE organization_id = $1 AND sequence < 6', [
    organizationId,
  ]);
  const { lines, missing } = await nextBatch(replicas.database, 8192);
  const own = lines.filter((line) => line.organizationId === publicId('organization', organizationId));
  expect(own.map(({ sequence }) => sequence)).toEqual([6, 7, 8, 9]);
  expect(missing).toBe(3);
  await moveOn(replicas.database, [{ organizationId, environment: 'live', sequence: 9 }]);
});

it('over TLS the certificates of both sides are checked', async () => {
  const authority = await makeAuthority(dir, 'authority');
  const [server, client] = [await authority.issue('collector'), await authority.issue('auth')];
  const secured = await Collector.start({
    cert: readFileSync(server.certFile),
    key: readFileSync(server.keyFile),
    ca: readFileSync(authority.caFile),
  });
  try {
    const organization = await replicas.newOrganization();
    await addAuditEntries(replicas.database, recordsOf(organization, 3));
    const url = new URL(`tls://127.0.0.1:${secured.port}`);
    const limits = { timeoutMs: 30_000, graceMs: 100 };
    const never = new AbortController().signal;
    const { caFile } = authority;
    await expect(sendConfirmed({ url, tls: noTls }, ['1 x'], limits, never)).rejects.toThrow(/certificate/);
    await expect(sendConfirmed({ url, tls: { ...noTls, caFile } }, ['1 x'], limits, never)).rejects.toThrow();
    await replicas.sql.query(`UPDATE auth.audit_syslog_sender SET until = now() - interval '1 second'`);
    await start({
      auditSyslogUrl: url.href,
      auditSyslogTlsCaFile: caFile,
      auditSyslogTlsCertFile: client.certFile,
      auditSyslogTlsKeyFile: client.keyFile,
    });
    await eventually(() => expect(secured.sequencesOf(organization)).toEqual([1, 2, 3]));
  } finally {
    await secured.stop();
  }
});
