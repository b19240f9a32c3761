/**
 * What would become of a payload: mapping, fingerprint, the open alert that it would meet, windows, workflows, and whom they
 * would tell. All of it is decided by the functions of the real path (`mapPayload`, `decideIncoming`, `decide`), in a
 * transaction that cannot write.
 */
import {
  newUuid, publicId,
  type AlertEvent, type IngestEvent, type Input, type Principal, type Simulate, type SimulatedItem, type Simulation,
} from '@ams/contracts';
import {
  alertOfRecord, clientsOf, decideIncoming, fitting, once, openAlerts, settle, Windows,
  type AlertRecord, type Incoming, type OpenAlerts, type Surroundings, type Tx,
} from '@ams/database';
import { compileMapping, isTold, mapPayload, type FieldChange, type ItemResult, type MappedEvent } from '@ams/domain';
import { Inject, Injectable } from '@nestjs/common';
import { fingerprintOf, mappingOf } from './explained-event.js';
import { lookAround } from './facts.js';
import { DatabasePart } from './parts.js';
import { planSteps } from './plan.js';
import { nobody, senderOf, standardSettings, type Sender } from './sender.js';
import { decide, ranBefore, tenantOf, workflowsOf, type Decided } from './trigger.js';

type None = Record<string, never>;
type Mapped = Extract<ItemResult, { kind: 'event' }>;

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
    return database.writeAs(principal, (tx) => once(tx, 'workflow-engine', principal, idempotency, () => onlyReading(tx, () => simulation(tx, principal, body, at))));
  }
}

/** Where the answer is kept under its Idempotency-Key, that is all that is written. */
async function onlyReading<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  await tx.query('SAVEPOINT reading');
  await tx.query('SET LOCAL transaction_read_only = on');
  const result = await work();
  await tx.query('ROLLBACK TO SAVEPOINT reading');
  return result;
}

async function simulation(tx: Tx, principal: Principal, body: Simulate, at: Date): Promise<Simulation> {
  const sender = body.integrationId ? await senderOf(tx, principal, body.integrationId) : nobody;
  const standard = body.alert !== undefined;
  const mapped = mapPayload(compileMapping(standard ? standardSettings : sender.settings), standard ? body.alert : body.payload, { explain: 'short' });
  if (mapped.kind === 'handshake') return { at: at.toISOString(), items: [{ ...nothing, outcome: 'ignored', reason: 'it is a handshake, which holds no alert' }] };
  const items = mapped.items.slice(0, maxSimulatedItems);
  const events = items.filter((item) => item.kind === 'event').map((item) => eventOf(principal, sender, item, at));
  const simulated = await simulateEvents(tx, events, at);
  return { at: at.toISOString(), items: fitting(items.map((item) => (item.kind === 'event' ? (simulated.shift() as SimulatedItem) : notAnEvent(item)))) };
}

/** As the gateway makes it. */
const eventOf = ({ organizationId, environment }: Principal, sender: Sender, { event, sources }: Mapped, at: Date): IngestEvent => ({
  ...event, id: newUuid(at.getTime()), organizationId, environment, integrationId: sender.id, integrationName: sender.name, receivedAt: at.toISOString(), dedupScope: sender.dedupScope,
  autoResolveAfterSeconds: sender.autoResolveAfterSeconds, clientId: sender.clientId, ...(sources && { provenance: sources }),
});

/** Through the pipeline as a batch, then through the workflows; an item for each event. */
async function simulateEvents(tx: Tx, events: IngestEvent[], at: Date): Promise<SimulatedItem[]> {
  const open = await openAlerts(tx, events, { lock: false });
  const surroundings = { windows: await Windows.of(tx, events, at), clientOf: await clientsOf(tx, events), opening: () => ({ partition: 0, previousAlertId: null, now: at }) };
  const applied = events.map((event) => apply(event, open, surroundings));
  const decided = await decisionsOn(tx, applied.map(({ happening }) => happening).filter((happening) => happening !== null), at);
  const items: SimulatedItem[] = [];
  for (const one of applied) items.push(await itemOf(tx, one, one.happening && (decided.get(one.happening.id) ?? null), at));
  return items;
}

/** An event, what is decided of it, and what others would hear. */
interface Applied {
  event: IngestEvent;
  incoming: Incoming;
  happening: AlertEvent | null;
}

/** The events after it meet what it leaves, here in memory only. */
function apply(event: IngestEvent, open: OpenAlerts, surroundings: Surroundings): Applied {
  const incoming = decideIncoming(event, open, surroundings);
  const { decision, met, subject, sender } = incoming;
  if (decision.kind !== 'opened' && decision.kind !== 'changed') return { event, incoming, happening: null };
  const record: AlertRecord = met ?? { ...subject, state: decision.alert };
  record.state = decision.alert;
  settle(open, record);
  const { type, changes } = decision;
  if (!isTold(type)) return { event, incoming, happening: null };
  const { organizationId, environment, receivedAt: occurredAt } = event;
  const cause = { type: 'event' as const, id: publicId('event', event.id) };
  return { event, incoming, happening: { id: publicId('timelineEntry', newUuid()), organizationId, environment, type, occurredAt, actor: sender, cause, changes, alert: alertOfRecord(record), depth: 0 } };
}

/** What the workflows of the tenant make of what happened, by the id of that. */
async function decisionsOn(tx: Tx, happenings: AlertEvent[], at: Date): Promise<Map<string, Decided>> {
  if (happenings.length === 0) return new Map();
  const workflows = await workflowsOf(tx, happenings);
  const ran = await ranBefore(tx, happenings);
  const around = await lookAround(tx, happenings);
  return new Map(happenings.map((happening) => [happening.id, decide(happening, workflows.get(tenantOf(happening)) ?? [], ran, around, at)]));
}

const nothing: SimulatedItem = { outcome: 'ignored', reason: null, faults: [], event: null, mapping: null, fingerprint: null, alert: null, windows: [], workflows: [] };

const notAnEvent = (item: Exclude<ItemResult, Mapped>): SimulatedItem =>
  item.kind === 'ignored' ? { ...nothing, reason: item.reason } : { ...nothing, outcome: 'faulty', faults: item.faults };

async function itemOf(tx: Tx, { event, incoming, happening }: Applied, decided: Decided | null, at: Date): Promise<SimulatedItem> {
  const { title, severity, status, source, description, fingerprint, fingerprintSource, labels, annotations } = event;
  const shown: MappedEvent = { title, severity, status, source, description, fingerprint, fingerprintSource, labels, annotations };
  const mapping = mappingOf(shown, event.provenance);
  return {
    ...nothing, outcome: 'event', event: shown, mapping, fingerprint: fingerprintOf(shown, event.dedupScope, mapping), alert: alertPart(incoming), windows: incoming.windows,
    workflows: happening && decided ? await workflowPart(tx, happening, decided, at) : [],
  };
}

function alertPart({ met, decision, outcome }: Incoming): { decision: string; alertId: string | null; status: string | null; changes: FieldChange[] } {
  const alertId = met && publicId('alert', met.id);
  if (decision.kind === 'opened' || decision.kind === 'changed') return { decision: outcome, alertId, status: decision.alert.status, changes: decision.changes };
  return { decision: outcome, alertId, status: met?.state.status ?? null, changes: [] };
}

/** Each workflow that waits for what happened, and of those that run what their steps would do. */
async function workflowPart(tx: Tx, happening: AlertEvent, { considered, runs }: Decided, at: Date): Promise<unknown[]> {
  const parts: unknown[] = [];
  for (const { workflowId, name, version, outcome, trace } of considered) {
    const run = runs.find(({ workflow }) => workflow.id === workflowId);
    const telling = { organization_id: happening.organizationId, environment: happening.environment, workflow_name: name };
    const steps = run ? await planSteps(tx, telling, run.workflow.steps, { alert: happening.alert, incident: null }, at.toISOString()) : [];
    parts.push({ workflowId: publicId('workflow', workflowId), name, version, event: happening.type, outcome, trace, steps });
  }
  return parts;
}
