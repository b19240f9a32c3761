/**
 * What would become of a payload: mapping, fingerprint, the open alert that it would meet, windows, workflows, whom they would
 * tell, and what follows from that. All of it is decided by the functions of the real path (`mapPayload`, `applyEvents`,
 * `decide`, `executeCommand`), in a transaction that cannot write.
 */
import {
  newUuid,
  publicId,
  type ImaginedAlert,
  type IngestEvent,
  type Input,
  type Principal,
  type Simulate,
  type SimulatedCause,
  type SimulatedItem,
  type Simulation,
} from '@ams/contracts';
import { applyEvents, type AppliedEvent } from '@ams/alerting';
import { fitting, withIdempotency, type Tx } from '@ams/database';
import { compileMapping, mapPayload, type ItemResult, type MappedEvent } from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import { Course, shownFollow, shownWorkflows, type Happened } from './course.js';
import { fingerprintOf, mappingOf } from './explained-event.js';
import { cutItem } from './explanation-size.js';
import { alertOf, type DomainEvent } from './facts.js';
import { ImaginedRecords } from './imagined-records.js';
import { DatabasePart } from './parts.js';
import { nobody, senderOf, standardSettings, type Sender } from './sender.js';

type None = Record<string, never>;
export type Mapped = Extract<ItemResult, { kind: 'event' }>;

/** Of a payload with more items these are tried. */
const maxSimulatedItems = 25;

@Injectable()
export class Simulations {
  constructor(@Inject(DatabasePart) private readonly databasePart: DatabasePart) {}

  simulate(input: Input<None, Simulate>): Promise<Simulation> {
    const { principal, idempotency, body } = input;
    const { database } = this.databasePart;
    const at = new Date(body.at ?? Date.now());
    if (!idempotency) return database.readAs(principal, (tx) => simulation(tx, principal, body, at));
    return database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'workflow-engine', principal, idempotency, () =>
        onlyReading(tx, () => simulation(tx, principal, body, at)),
      ),
    );
  }
}

/** Where the answer is kept under its Idempotency-Key, that is all that is written. */
export async function onlyReading<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT reading');
  await tx.query('SET LOCAL transaction_read_only = on');
  const result = await work();
  await tx.query('ROLLBACK TO SAVEPOINT reading');
  return result;
}

async function simulation(tx: Tx, principal: Principal, body: Simulate, at: Date): Promise<Simulation> {
  const sender = body.integrationId ? await senderOf(tx, principal, body.integrationId) : nobody;
  const standard = body.alert !== undefined;
  const mapped = mapPayload(
    compileMapping(standard ? standardSettings : sender.settings),
    standard ? body.alert : body.payload,
    { explain: 'short' },
  );
  if (mapped.kind === 'handshake')
    return {
      at: at.toISOString(),
      items: [{ ...nothing, outcome: 'ignored', reason: 'it is a handshake, which holds no alert' }],
    };
  const items = mapped.items.slice(0, maxSimulatedItems);
  const events = items.filter((item) => item.kind === 'event').map((item) => eventOf(principal, sender, item, at));
  const simulated = await simulateEvents(tx, principal, events, at);
  return {
    at: at.toISOString(),
    items: fitting(
      items.map((item) => (item.kind === 'event' ? (simulated.shift() as SimulatedItem) : notAnEvent(item))),
    ),
  };
}

/** As the gateway makes it. */
export const eventOf = (
  { organizationId, environment }: Principal,
  sender: Sender,
  { event, sources }: Mapped,
  at: Date,
): IngestEvent => ({
  ...event,
  id: newUuid(at.getTime()),
  organizationId,
  environment,
  integrationId: sender.id,
  integrationName: sender.name,
  receivedAt: at.toISOString(),
  dedupScope: sender.dedupScope,
  autoResolveAfterSeconds: sender.autoResolveAfterSeconds,
  clientId: sender.clientId,
  ...(sources && { provenance: sources }),
});

/** Applies the events as one batch, then follows the workflows and what they cause. Gives an item for each event. */
async function simulateEvents(tx: Tx, principal: Principal, events: IngestEvent[], at: Date): Promise<SimulatedItem[]> {
  const records = new ImaginedRecords(tx, principal);
  const course = new Course(tx, principal, records, at.getTime());
  const applied = await applyEvents(tx, records, events, { partition: 0, now: at });
  const published = records.takeEvents();
  const publishedFor = ({ event }: AppliedEvent): DomainEvent | undefined =>
    published.find(({ cause }) => cause.id === publicId('event', event.id));
  applied.forEach((one, index) => {
    const event = publishedFor(one);
    if (event) course.add(index, event, null);
  });
  await records.countResolved();
  // The cause of a resolved incident is the last item of the payload that resolves one of its alerts.
  for (const event of records.takeEvents())
    course.add(
      applied.findLastIndex((one) => resolves(publishedFor(one), event.cause.id)),
      event,
      causedBySender,
    );
  await course.follow();
  return applied.map((one, index) =>
    itemOf(
      one,
      course.happened.filter(({ root }) => root === index),
      records,
      course.leftOut,
    ),
  );
}

const causedBySender: SimulatedCause = { type: 'alert', workflowId: null, workflowName: null, stepId: null };

const resolves = (event: DomainEvent | undefined, alertId: string | null): boolean =>
  event?.type === 'alert.resolved' && alertOf(event)?.id === alertId;

const nothing: SimulatedItem = {
  outcome: 'ignored',
  reason: null,
  faults: [],
  event: null,
  mapping: null,
  fingerprint: null,
  alert: null,
  windows: [],
  workflows: [],
  follows: [],
  leftOut: false,
};

const notAnEvent = (item: Exclude<ItemResult, Mapped>): SimulatedItem =>
  item.kind === 'ignored'
    ? { ...nothing, reason: item.reason }
    : { ...nothing, outcome: 'faulty', faults: item.faults };

function itemOf(
  applied: AppliedEvent,
  happened: Happened[],
  records: ImaginedRecords,
  leftOut: boolean,
): SimulatedItem {
  const { event } = applied;
  const { title, severity, status, source, description, fingerprint, fingerprintSource, labels, annotations } = event;
  const shown: MappedEvent = {
    title,
    severity,
    status,
    source,
    description,
    fingerprint,
    fingerprintSource,
    labels,
    annotations,
  };
  const mapping = mappingOf(shown, event.provenance);
  return cutItem({
    ...nothing,
    outcome: 'event',
    event: shown,
    mapping,
    fingerprint: fingerprintOf(shown, event.dedupScope, mapping),
    alert: imaginedAlertOf(applied, records),
    windows: applied.windows,
    workflows: happened.filter(({ cause }) => cause === null).flatMap(shownWorkflows),
    follows: happened.flatMap(({ cause, ...one }) => (cause === null ? [] : [shownFollow({ ...one, cause }, records)])),
    leftOut,
  });
}

/** An alert that an earlier item of the payload would open has no id yet. */
export function imaginedAlertOf(
  { openAlert, effect, status, changes }: AppliedEvent,
  records: ImaginedRecords,
): ImaginedAlert {
  return {
    decision: effect,
    alertId: openAlert && !records.isMade(openAlert.id) ? publicId('alert', openAlert.id) : null,
    status,
    changes,
  };
}
