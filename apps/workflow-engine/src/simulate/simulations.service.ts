/**
 * Simulates a payload: its mapping and fingerprint, the open alert to which it belongs, windows, workflows, their
 * recipients, and what follows from that. All decisions are made by the functions of the real path (`mapPayload`,
 * `applyEvents`, `decideWorkflows`, `runStep`), in a transaction that cannot write.
 */
import {
  mayRead,
  newUuid,
  publicId,
  withAddressesFor,
  type ImaginedAlert,
  type IngestEvent,
  type Input,
  type Principal,
  type Simulate,
  type SimulatedCause,
  type SimulatedItem,
  type SimulatedPage,
  type Simulation,
} from '@ams/contracts';
import { applyEvents, type AppliedEvent, type IncidentPage } from '@ams/alerting';
import { Database, fitting, withIdempotency, type Tx } from '@ams/database';
import { compileMapping, mapPayloadInParts, type ItemResult, type MappedEvent } from '@ams/domain';
import { evaluationTurns } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { fingerprintOf, mappingOf } from '../explain/explained-event.js';
import { cutItem } from '../explain/explanation-size.js';
import type { AlertingEvent } from '../runs/condition-facts.js';
import { ImaginedRecords } from './imagined-records.js';
import {
  imaginedIntegration,
  integrationOf,
  standardSettings,
  type PayloadIntegration,
} from './payload-integration.js';
import { plannedTargets } from './planned-page.js';
import { shownIncident } from './simulated-command.js';
import { shownFollow, shownWorkflows, WorkflowSimulation, type SimulatedEvent } from './workflow-simulation.js';

type NoQuery = Record<string, never>;
export type Mapped = Extract<ItemResult, { kind: 'event' }>;

/** The number of items of a payload that are simulated. */
const maxSimulatedItems = 25;

@Injectable()
export class SimulationsService {
  constructor(private readonly database: Database) {}

  simulate(input: Input<NoQuery, Simulate>): Promise<Simulation> {
    const { principal, idempotency, body } = input;
    const { database } = this;
    const at = new Date(body.at ?? Date.now());
    if (!idempotency) return database.readAs(principal, (tx) => simulation(tx, principal, body, at));
    return database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'workflow-engine', principal, idempotency, () =>
        onlyReading(tx, () => simulation(tx, principal, body, at)),
      ),
    );
  }
}

/** With an Idempotency-Key the answer is stored; nothing else is written. */
export async function onlyReading<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT reading');
  await tx.query('SET LOCAL transaction_read_only = on');
  const result = await work();
  await tx.query('ROLLBACK TO SAVEPOINT reading');
  return result;
}

async function simulation(tx: Tx, principal: Principal, body: Simulate, at: Date): Promise<Simulation> {
  const integration = body.integrationId ? await integrationOf(tx, principal, body.integrationId) : imaginedIntegration;
  const standard = body.alert !== undefined;
  const mapper = compileMapping(standard ? standardSettings : integration.settings);
  const mapped = await evaluationTurns.run(
    { organizationId: principal.organizationId, record: 'simulation' },
    mapPayloadInParts(mapper, standard ? body.alert : body.payload, { explain: 'short' }),
  );
  if (mapped.kind === 'handshake')
    return {
      at: at.toISOString(),
      items: [{ ...nothing, outcome: 'ignored', reason: 'it is a handshake, which holds no alert' }],
    };
  const items = mapped.items.slice(0, maxSimulatedItems);
  const events = items.filter((item) => item.kind === 'event').map((item) => eventOf(principal, integration, item, at));
  const simulated = await simulateEvents(tx, principal, events, at);
  return {
    at: at.toISOString(),
    items: fitting(
      items.map((item) => (item.kind === 'event' ? (simulated.shift() as SimulatedItem) : notAnEvent(item))),
    ),
  };
}

/** The event that the ingest gateway would make. */
export const eventOf = (
  { organizationId, environment }: Principal,
  integration: PayloadIntegration,
  { event, sources }: Mapped,
  at: Date,
): IngestEvent => ({
  ...event,
  id: newUuid(at.getTime()),
  organizationId,
  environment,
  integrationId: integration.id,
  integrationName: integration.name,
  receivedAt: at.toISOString(),
  dedupScope: integration.dedupScope,
  autoResolveAfterSeconds: integration.autoResolveAfterSeconds,
  clientId: integration.clientId,
  ...(sources && { provenance: sources }),
});

/** Applies the events as one batch, then follows the workflows and what they cause. Returns an item for each event. */
async function simulateEvents(tx: Tx, principal: Principal, events: IngestEvent[], at: Date): Promise<SimulatedItem[]> {
  const records = new ImaginedRecords(tx, principal);
  const simulation = new WorkflowSimulation(tx, principal, records, at.getTime());
  const applied = await applyEvents(tx, records, events, { partition: 0, now: at }, (work) =>
    evaluationTurns.run({ organizationId: principal.organizationId, record: 'simulation' }, work),
  );
  const published = records.takeEvents();
  const publishedFor = ({ event }: AppliedEvent): AlertingEvent | undefined =>
    published.find(({ cause }) => cause.id === publicId('event', event.id));
  applied.forEach((one, index) => {
    const event = publishedFor(one);
    if (event) simulation.addEvent(index, event, null);
  });
  await records.followAlerts();
  const pages = records.takePages();
  // An incident is changed by the last item of the payload for the alert that changes it.
  for (const event of records.takeEvents())
    simulation.addEvent(
      applied.findLastIndex(({ alert }) => alert && publicId('alert', alert.id) === event.cause.id),
      event,
      senderCause,
    );
  await simulation.follow();
  const shown = await shownPages(pages, records);
  // A page follows from the last item of the payload whose alert is in the incident.
  const itemOfPage = ({ incidentId }: IncidentPage): number =>
    applied.findLastIndex((one) => one.alert?.incidentId === incidentId);
  return applied.map((one, index) =>
    itemOf(
      one,
      simulation.events.filter(({ itemIndex }) => itemIndex === index),
      shown.filter(({ page }) => itemOfPage(page) === index).map((each) => each.shown),
      records,
      simulation.leftOut,
      principal,
    ),
  );
}

async function shownPages(
  pages: readonly IncidentPage[],
  records: ImaginedRecords,
): Promise<{ page: IncidentPage; shown: SimulatedPage }[]> {
  const shown: { page: IncidentPage; shown: SimulatedPage }[] = [];
  for (const page of pages) {
    const record = await records.incident(page.incidentId);
    if (!record) continue;
    const { why, recipients } = page;
    const incident = shownIncident(record, records);
    shown.push({ page, shown: { incident, why, targets: plannedTargets(recipients) } });
  }
  return shown;
}

const senderCause: SimulatedCause = { type: 'alert', workflowId: null, workflowName: null, stepId: null };

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
  catchAll: null,
  pages: [],
  follows: [],
  leftOut: false,
};

const notAnEvent = (item: Exclude<ItemResult, Mapped>): SimulatedItem =>
  item.kind === 'ignored'
    ? { ...nothing, reason: item.reason }
    : { ...nothing, outcome: 'faulty', faults: item.faults };

function itemOf(
  applied: AppliedEvent,
  events: SimulatedEvent[],
  pages: SimulatedPage[],
  records: ImaginedRecords,
  leftOut: boolean,
  principal: Principal,
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
    windows: mayRead(principal, 'suppression:read') ? applied.windows : [],
    ...withAddressesFor(principal, {
      workflows: events.filter(({ cause }) => cause === null).flatMap(shownWorkflows),
      catchAll: events.find(({ cause }) => cause === null)?.catchAll ?? null,
      pages,
      follows: events.flatMap(({ cause, ...one }) => (cause === null ? [] : [shownFollow({ ...one, cause }, records)])),
    }),
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
