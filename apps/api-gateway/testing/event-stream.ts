/** Domain events in NATS, and a client of the stream of events. */
import {
  alertEventsSubject,
  newUuid,
  publicId,
  scheduleEventsSubject,
  type AlertEvent,
  type Alert,
  type Principal,
  type ScheduleEvent,
  type StreamEventData,
  getAlert,
} from '@ams/contracts';
import { ensureStream, streams, type NatsConnection } from '@ams/messaging';
import { eventually } from '@ams/testing';
import { jetstream } from '@nats-io/jetstream';

export const ensureEvents = (connection: NatsConnection) =>
  eventually(() => ensureStream(connection, streams.alertEvents(), { replicas: 1 }));

type Tenant = Pick<Principal, 'organizationId' | 'environment'>;

const example = (getAlert.example.reply as { data: Alert }).data;

export const alertEvent = ({ organizationId, environment }: Tenant, alert: Partial<Alert> = {}): AlertEvent => ({
  id: publicId('timelineEntry', newUuid()),
  organizationId,
  environment,
  type: 'alert.acknowledged',
  occurredAt: '2026-11-20T14:06:00.000Z',
  actor: { type: 'service', id: null, name: 'test' },
  cause: { type: 'request', id: null },
  changes: [{ field: 'status', before: 'firing', after: 'acknowledged' }],
  alert: { ...example, status: 'acknowledged', ...alert },
  depth: 0,
});

export const handOff = ({ organizationId, environment }: Tenant, teamId: string | null): ScheduleEvent => ({
  id: publicId('timelineEntry', newUuid()),
  organizationId,
  environment,
  type: 'schedule.handoff',
  occurredAt: '2026-11-20T14:06:00.000Z',
  depth: 0,
  schedule: {
    id: publicId('schedule', newUuid()),
    name: 'Primary',
    teamId,
    timezone: 'UTC',
    from: [],
    to: [{ id: publicId('member', newUuid()), name: 'Mira', email: 'mira@example.com' }],
    source: 'layer',
    layer: null,
    startsAt: null,
    endsAt: null,
    version: 1,
  },
});

/** One message with these events, as the outbox publishes them. */
export const publishEvents = (connection: NatsConnection, events: (AlertEvent | ScheduleEvent)[]) =>
  jetstream(connection).publish(
    events.some((event) => 'schedule' in event) ? scheduleEventsSubject : alertEventsSubject(0),
    JSON.stringify({ events }),
  );

export interface Received {
  event: string;
  id: string;
  data: StreamEventData;
}

export interface StreamClient {
  status: number;
  headers: Headers;
  /** Of a refusal. */
  body: unknown;
  received: Received[];
  /** Of all blocks, also of those without an event. */
  lastId: () => string;
  /** Everything as it arrived. */
  text: () => string;
  ended: Promise<void>;
  close(): void;
}

/** Reads the stream until one of both sides ends it. */
export async function openStream(url: string, init: RequestInit): Promise<StreamClient> {
  const abort = new AbortController();
  const answer = await fetch(url, { ...init, signal: abort.signal });
  const received: Received[] = [];
  const chunks: string[] = [];
  // What follows the last block. It is kept apart: searching the whole text again costs its length for each chunk.
  let rest = '';
  let id = '';
  const take = (block: string): void => {
    const fields = block.split('\n').map((line) => /^(\w*): ?(.*)$/.exec(line) ?? []);
    const valueOf = (name: string): string | undefined => fields.find(([, field]) => field === name)?.[2];
    id = valueOf('id') ?? id;
    const data = valueOf('data');
    if (data !== undefined) received.push({ event: valueOf('event') ?? '', id, data: JSON.parse(data) as never });
  };
  const follow = async (): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of answer.body ?? []) {
      const text = decoder.decode(chunk as Uint8Array, { stream: true });
      chunks.push(text);
      const blocks = (rest + text).split('\n\n');
      rest = blocks.pop() ?? '';
      blocks.forEach(take);
    }
  };
  const isStream = answer.headers.get('content-type')?.startsWith('text/event-stream') === true;
  return {
    status: answer.status,
    headers: answer.headers,
    body: isStream ? null : await answer.json(),
    received,
    lastId: () => id,
    text: () => chunks.join(''),
    ended: isStream ? follow().catch(() => undefined) : Promise.resolve(),
    close: () => abort.abort(),
  };
}
