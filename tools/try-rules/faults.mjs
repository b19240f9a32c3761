// The faults of the trial. Each names what is done, the rules that must fire in it, and those that may fire because the
// fault really causes them, with the reason. `begin` makes the fault and returns what mends it.
//
// A rule with labels, such as `AmsServiceDown{auth}`, must fire with these labels.
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  acknowledgeAlert,
  alertEventsStream,
  announcementsBucket,
  auditSubject,
  ingestStream,
  newUuid,
  publicId,
  subjectOf,
} from '@ams/contracts';
import { brokerAdmin, managerOf, openBucket } from '@ams/messaging';
import { jetstream } from '@nats-io/jetstream';
import { standStill } from '../bench/processes.mjs';
import { until } from '../bench/until.mjs';
import { bigRequest, newAlert, repeat, startTarget } from './world.mjs';

/** Rules that have no real fault here, with the reason. */
export const withoutFault = {};

const waits = {
  AmsEventsWait: 'events wait until the service or the store works again',
  AmsDomainEventsWait: 'domain events wait until the service or the store works again',
  AmsJobsWait: 'jobs wait until the service or the store works again',
  AmsPagesSlow: 'pages that were due in the fault begin after it',
  AmsPagesNotSent: 'messages that were due in the fault are sent after it',
  AmsOutboxLate: 'rows of the outbox wait until the service or the store works again',
};
const slow = {
  AmsApiSlow: 'requests last until their time limit',
  AmsIngestSlow: 'requests of senders last until their time limit',
};
const failing = {
  AmsApiErrors: 'requests that need the service or the store fail',
  AmsRequestsBetweenServicesFail: 'requests between services that need the store fail',
};

const stopped = (names, { must = [], may = {} } = {}) => ({
  name: `${names.join('-and-')}-stopped`,
  what: `${names.join(' and ')} are stopped`,
  must: [...names.map((name) => `AmsServiceDown{${name}}`), ...must],
  may,
  async begin({ services }) {
    await Promise.all(names.map((name) => services[name].stop()));
    return () => Promise.all(names.map((name) => startAgain(services[name])));
  },
});

async function startAgain(service) {
  await service.start();
  await service.ready(120_000);
}

/** The transaction of an operator takes locks. */
const locked = (statement) => async (world) => {
  const { release } = await world.lock(statement);
  return release;
};

/** The locks are taken again and again: a statement waits for up to `seconds`. */
const lockedAgain = (statement, seconds) => async (world) => {
  const cycles = repeat(700, async () => {
    const { release } = await world.lock(statement);
    await sleep(seconds * 1000);
    await release();
  });
  return () => cycles.stop();
};

export const faults = [
  stopped(['api-gateway', 'ingest-gateway']),
  stopped(['auth', 'resource-api'], { must: ['AmsApiErrors'], may: slow }),
  {
    name: 'notifier-killed-again',
    what: 'notifier is killed whenever it has started',
    must: ['AmsServiceRestarts{notifier}'],
    may: { AmsServiceDown: 'on a busy machine a start lasts longer than the faster rule waits' },
    async begin({ services: { notifier } }) {
      const kills = repeat(1500, async () => {
        const { pid } = notifier;
        process.kill(pid, 'SIGKILL');
        await until('notifier starts again', () => notifier.pid !== pid, 30_000);
        await notifier.ready(60_000);
      });
      return () => kills.stop();
    },
  },
  {
    name: 'notifier-held',
    what: 'notifier stands still for 0.4 of each 0.5 seconds, as on a machine without free CPU',
    must: ['AmsEventLoopHeld{notifier}'],
    async begin({ services: { notifier } }) {
      const holds = repeat(100, async () => {
        const { resume } = standStill(notifier.pid);
        await sleep(400);
        resume();
      });
      return () => holds.stop();
    },
  },
  {
    name: 'events-lost',
    what: 'alert-pipeline is stopped, NATS loses events, and a new instance starts, which Prometheus finds 5 s later',
    must: ['AmsServiceDown{alert-pipeline}', 'AmsEventsLost{alert-pipeline}'],
    may: { ...waits, AmsPartitionNotHeld: 'its leases have ended meanwhile' },
    async begin({ services, newSender, asUser, fires, prometheus }) {
      const pipeline = services['alert-pipeline'];
      const send = await newSender();
      await pipeline.stop();
      for (let n = 0; n < 5; n++) await send(newAlert());
      await fires('AmsServiceDown');
      await asUser(brokerAdmin, async (nats) => (await managerOf(nats)).streams.purge(ingestStream));
      prometheus.forget('alert-pipeline');
      await startAgain(pipeline);
      await sleep(5000);
      prometheus.find('alert-pipeline');
      return async () => undefined;
    },
  },
  {
    name: 'events-stream-full',
    what: 'workflow-engine is stopped, and the stream of domain events is full',
    must: [
      'AmsServiceDown{workflow-engine}',
      'AmsOutboxHeldBack{alert-pipeline,events}',
      'AmsOutboxLate{alert-pipeline,events}',
    ],
    may: {
      ...waits,
      AmsStreamAlmostFull: 'the stream is full, unless alert-pipeline has just deleted what was processed',
      AmsPagesNotLookedFor: 'workflow-engine looks for missing pages',
    },
    async begin({ services, asUser, changeStream }) {
      const engine = services['workflow-engine'];
      await engine.stop();
      const full = repeat(0, (signal) =>
        // The stream gets its size back every half minute.
        asUser(brokerAdmin, async (nats) => {
          for (; !signal.aborted; await sleep(200))
            await changeStream(nats, alertEventsStream, ({ state }) => ({ max_bytes: Math.max(1, state.bytes) }));
        }),
      );
      return async () => {
        await full.stop();
        await asUser(brokerAdmin, (nats) =>
          changeStream(nats, alertEventsStream, () => ({ max_bytes: 1024 * 1024 * 1024 })),
        );
        await startAgain(engine);
      };
    },
  },
  {
    name: 'nats-hangs',
    what: 'NATS stands still',
    must: ['AmsNotMeasured{events,workflow-engine}', 'AmsIngestRefusesEvents', 'AmsApiErrors'],
    may: { ...waits, ...slow, ...failing, AmsServiceDown: 'a service that cannot reach NATS for long ends' },
    async begin({ nats }) {
      const { resume } = standStill(nats.pid);
      return async () => resume();
    },
  },
  {
    name: 'postgres-hangs',
    what: 'PostgreSQL stands still',
    must: [
      'AmsNotMeasured{pages,workflow-engine}',
      'AmsApiErrors',
      'AmsRequestsBetweenServicesFail{auth}',
      'AmsDatabaseConnectionsExhausted',
    ],
    may: { ...waits, ...slow, AmsPartitionNotHeld: 'leases end while the database does not answer' },
    async begin({ postgres }) {
      const { resume } = standStill(postgres.pid);
      return async () => resume();
    },
  },
  {
    name: 'leases-locked',
    what: 'a transaction holds the rows of alerts.partitions, so that no lease is renewed',
    must: ['AmsPartitionNotHeld', 'AmsEventsWait'],
    begin: locked('SELECT FROM alerts.partitions FOR UPDATE'),
  },
  {
    name: 'ingest-stream-full',
    what: 'no event is applied because of a lock of alerts.alerts, and an organization sends more than its pace',
    seconds: 120,
    must: ['AmsStreamAlmostFull{INGEST}', 'AmsIngestSlow', 'AmsIngestRefusesEvents', 'AmsEventsWait'],
    may: { AmsPartitionNotHeld: 'a replica that makes no progress gives up its partitions' },
    async begin(world) {
      const release = await locked('LOCK TABLE alerts.alerts IN SHARE MODE')(world);
      const mend = await largeEvents(world);
      return async () => {
        await mend();
        await release();
      };
    },
  },
  {
    name: 'many-requests',
    what: 'a sender sends ten requests a second, and its limit is 60 a minute',
    must: ['AmsIngestLimited'],
    async begin({ newSender }) {
      const send = await newSender();
      const sending = repeat(100, () => send(newAlert({ fingerprint: 'many' })));
      return () => sending.stop();
    },
  },
  {
    name: 'alerts-slow',
    what: 'a transaction holds alerts.alerts again and again, for 3.3 seconds each time',
    must: ['AmsApiSlow'],
    may: { ...waits, ...failing },
    begin: lockedAgain('LOCK TABLE alerts.alerts IN ACCESS EXCLUSIVE MODE', 3.3),
  },
  {
    name: 'operations-conflict',
    what: 'a service announces an operation of another one',
    must: ['AmsOperationsRefused'],
    async begin({ asUser }) {
      const announce = (operations) =>
        asUser(brokerAdmin, async (nats) => {
          const bucket = await openBucket(nats, announcementsBucket);
          const { operations: others } = (await bucket.get('resource-api')).json();
          await bucket.put(
            'try-rules',
            JSON.stringify({ service: 'try-rules', operations: operations(others), schemas: {} }),
          );
        });
      await announce((others) => others.slice(0, 1));
      return () => announce(() => []);
    },
  },
  {
    name: 'slow-bodies',
    what: 'a caller begins ten bodies a second and does not send them',
    must: ['AmsEdgeRefuses{api-gateway,tooMany}'],
    may: { AmsApiSlow: 'the duration of a request has the time in which its caller sends the body' },
    async begin({ services, api }) {
      const sockets = [];
      const bodies = repeat(100, async () => {
        const socket = connect(services['api-gateway'].port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write(
          `POST /api/v1/integrations HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${api.key}\r\n` +
            'content-type: application/json\r\ncontent-length: 1000\r\n\r\n{',
        );
        sockets.push(socket);
      });
      return async () => {
        await bodies.stop();
        for (const socket of sockets) socket.destroy();
      };
    },
  },
  {
    name: 'event-set-aside',
    what: 'an event violates a constraint of the database',
    must: ['AmsEventsSetAside{alert-pipeline}'],
    async begin({ sql, newSender }) {
      await sql(
        `CREATE FUNCTION alerts.refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF NEW.title = 'Refused' THEN RAISE 'refused' USING ERRCODE = '23514'; END IF;
           RETURN NEW;
         END $$;
         CREATE TRIGGER refuses BEFORE INSERT ON alerts.alerts FOR EACH ROW EXECUTE FUNCTION alerts.refuse()`,
      );
      const send = await newSender();
      await send(newAlert({ title: 'Refused' }));
      return async () => {
        await sql('DROP FUNCTION alerts.refuse CASCADE');
        await sql('DELETE FROM alerts.set_aside');
      };
    },
  },
  {
    name: 'message-too-large',
    what: 'the stream of domain events accepts no message of this size',
    must: ['AmsOutboxSetAside{alert-pipeline}'],
    async begin({ asUser, changeStream, sql }) {
      const accept = (bytes) =>
        asUser(brokerAdmin, (nats) => changeStream(nats, alertEventsStream, () => ({ max_msg_size: bytes })));
      const refuse = repeat(500, () => accept(100));
      return async () => {
        await refuse.stop();
        await accept(-1);
        await sql('UPDATE alerts.outbox SET set_aside_at = NULL, error = NULL WHERE set_aside_at IS NOT NULL');
      };
    },
  },
  {
    name: 'chains-locked',
    what: 'a transaction holds auth.audit_chains while an audit entry is made',
    must: ['AmsAuditLate'],
    async begin(world) {
      const release = await locked('LOCK TABLE auth.audit_chains IN SHARE MODE')(world);
      await world.newSender();
      return release;
    },
  },
  {
    name: 'forged-messages',
    what: 'a program sends an audit entry in the name of resource-api, and a call in that of the API gateway, unsigned',
    must: ['AmsAuditSetAside', 'AmsCallsRefused'],
    async begin({ asUser, sql }) {
      await asUser('resource-api', (nats) => jetstream(nats).publish(auditSubject, JSON.stringify([forgedEntry()])));
      const call = { requestId: 'r', principal: {}, params: { id: publicId('alert', newUuid()) }, query: {} };
      await asUser('api-gateway', (nats) =>
        nats.request(subjectOf(acknowledgeAlert), JSON.stringify(call), { timeout: 10_000 }),
      );
      return () => sql('DELETE FROM auth.set_aside');
    },
  },
  {
    name: 'jobs-locked',
    what: 'a transaction holds the table of jobs while some become due',
    must: ['AmsJobsWait', 'AmsDomainEventsWait'],
    may: waits,
    async begin(world) {
      const { api, newSender, sql } = world;
      const target = await startTarget(200);
      await newWorkflow(api, 'delayed', { type: 'webhook', params: { url: target.url }, delaySeconds: 5 });
      const send = await newSender();
      await until(
        'jobs are due soon',
        async () => {
          await send(newAlert({ labels: { case: 'delayed' } }));
          const [{ n }] = await sql(
            `SELECT count(*)::int AS n FROM workflow_jobs._private_jobs WHERE run_at > now() + interval '1 s'
               AND run_at < now() + interval '6 s'`,
          );
          return n > 0;
        },
        30_000,
        1000,
      );
      const release = await locked('LOCK TABLE workflow_jobs._private_jobs IN SHARE MODE')(world);
      return async () => {
        await release();
        await target.stop();
      };
    },
  },
  {
    name: 'runs-slow',
    what: 'a transaction holds workflows.runs for 7 seconds again and again, and a page is due each second',
    must: ['AmsPagesSlow'],
    may: waits,
    async begin(world) {
      const mend = await lockedAgain('LOCK TABLE workflows.runs IN SHARE MODE', 7)(world);
      const send = await world.newSender();
      const pages = repeat(1000, () => send(newAlert({ severity: 'critical' })));
      return async () => {
        await pages.stop();
        await mend();
      };
    },
  },
  {
    name: 'target-refuses',
    what: 'the target of webhooks answers each with 400',
    must: ['AmsNotificationsFail{webhook}'],
    async begin({ api, newSender }) {
      const target = await startTarget(400);
      await newWorkflow(api, 'refused', { type: 'webhook', params: { url: target.url } });
      const send = await newSender();
      const sending = repeat(1000, () => send(newAlert({ labels: { case: 'refused' } })));
      return async () => {
        await sending.stop();
        await target.stop();
      };
    },
  },
  {
    name: 'looks-locked',
    what: 'a transaction holds the rows of the looks for missing pages',
    seconds: 120,
    must: ['AmsPagesNotLookedFor{run}', 'AmsPagesNotLookedFor{escalation}'],
    async begin(world) {
      const mends = [
        await locked('SELECT FROM workflows.page_looks FOR UPDATE')(world),
        await locked('SELECT FROM alerts.page_looks FOR UPDATE')(world),
      ];
      return () => Promise.all(mends.map((mend) => mend()));
    },
  },
  {
    name: 'job-lost',
    what: 'notifier is stopped, and the job of a message is deleted',
    seconds: 200,
    must: ['AmsServiceDown{notifier}', 'AmsPagesNotSent', 'AmsPagesMissing{job}'],
    async begin({ services: { notifier }, newSender, sql }) {
      await notifier.stop();
      const send = await newSender();
      await send(newAlert({ severity: 'critical' }));
      await until(
        'a message waits for its next attempt',
        async () => {
          const deleted = await sql(
            `DELETE FROM workflow_jobs._private_jobs WHERE id = (
               SELECT id FROM workflow_jobs._private_jobs
               WHERE key LIKE 'sendNotification:%' AND locked_at IS NULL AND run_at > clock_timestamp()
               ORDER BY run_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING id`,
          );
          return deleted.length > 0;
        },
        60_000,
      );
      return () => startAgain(notifier);
    },
  },
  {
    name: 'organization-waits',
    what: 'an organization begins 70 runs with each event, and has no turn',
    must: ['AmsOrganizationWaits'],
    may: waits,
    async begin(world) {
      const { api, newSender, sql } = world;
      for (let n = 0; n < 70; n++)
        await newWorkflow(api, 'many', { type: 'webhook', params: { url: 'http://127.0.0.1:9/' }, delaySeconds: 3600 });
      const send = await newSender();
      const one = () => send(newAlert({ labels: { case: 'many' } }));
      for (let n = 0; n < 3; n++) await one();
      await sleep(3000);
      const [{ id }] = await sql('SELECT id FROM auth.organizations');
      const release = await locked(`SELECT pg_advisory_xact_lock(hashtextextended('waiting events ${id}', 0))`)(world);
      for (let n = 0; n < 12; n++) void one().catch(() => undefined);
      return release;
    },
  },
];

/** Three requests at the same time wait for more than three seconds each, and for less than their limit of five. */
async function largeEvents({ newSender }) {
  const senders = await Promise.all(Array.from({ length: 3 }, () => newSender('alertmanager')));
  const sending = senders.map((send) => repeat(0, () => send(bigRequest())));
  return () => Promise.all(sending.map((one) => one.stop()));
}

/** A workflow for the new alerts with this value of the label `case`. */
const newWorkflow = (api, word, step) =>
  api('/workflows', {
    name: `${word} ${crypto.randomUUID()}`,
    trigger: { events: ['alert.created'] },
    conditions: { all: [{ field: 'labels.case', op: 'eq', value: word }] },
    steps: [{ id: 'step', ...step }],
  });

const forgedEntry = () => ({
  id: newUuid(),
  organizationId: newUuid(),
  environment: 'live',
  type: 'client.updated',
  occurredAt: new Date().toISOString(),
  actor: { type: 'user', id: 'usr_1', name: 'Mira' },
  ip: '192.0.2.7',
  userAgent: null,
  requestId: 'r1',
  resource: { type: 'client', id: 'cli_1' },
  changes: [],
});
