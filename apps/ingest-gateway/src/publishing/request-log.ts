/**
 * The result of each request, for people who set up a sender. Records are buffered in memory and published in batches.
 * The log may lose records: while NATS is disconnected the oldest are dropped, so that no sender has to wait.
 */
import { requestLogSubject, newUuid, type RequestRecord, type LimitedRecord } from '@ams/contracts';
import { packText, storable, type Received } from '@ams/domain';
import { Metrics } from '@ams/service';
import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { Sender } from '../integrations/integrations.js';
import { Publisher } from './publisher.js';
import { Streams } from './streams.js';

/** A record whose `items` are already JSON, with the payload as a text or as its UTF-8. */
export interface LoggedRequest
  extends
    Omit<RequestRecord, 'organizationId' | 'environment' | 'integrationId' | 'items' | 'payload' | keyof Received>,
    Received {
  items: string;
  payload: string | Buffer | null;
}

type Owner = Pick<Sender, 'id' | 'organizationId' | 'environment'>;

interface Kept {
  owner: Owner;
  request: LoggedRequest;
  bytes: number;
}

const flushMs = 250;
/** Of a message: each costs its reader a transaction. */
const batchBytes = 800 * 1024;
const perIntegration = 100;
const keptBytes = 32 * 1024 * 1024;
const timeoutMs = 5000;
/** Characters or bytes from which a payload is packed: a payload of many alerts needs a tenth of its bytes then. */
const longPayload = 4096;

@Injectable()
export class RequestLog implements OnApplicationBootstrap, OnApplicationShutdown {
  private kept = new Set<Kept>();
  private readonly byIntegration = new Map<string, Kept[]>();
  private readonly limited = new Map<string, LimitedRecord>();
  private bytes = 0;
  private timer: NodeJS.Timeout | null = null;
  private flushing: Promise<void> | null = null;
  private readonly dropped;

  constructor(
    metrics: Metrics,
    private readonly publisher: Publisher,
    private readonly streams: Streams,
  ) {
    this.dropped = metrics.counter('ams_ingest_request_log_dropped_total', 'Records of requests that were not kept.');
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => void this.flush(), flushMs);
  }

  async onApplicationShutdown(): Promise<void> {
    if (this.timer !== null) clearInterval(this.timer);
    // The first flush may have begun before the last record was added.
    await this.flush();
    await this.flush();
  }

  add(owner: Owner, request: LoggedRequest): void {
    const kept: Kept = {
      owner,
      request,
      bytes: 300 + (request.alertKey?.length ?? 0) + request.items.length + (request.payload?.length ?? 0),
    };
    let own = this.byIntegration.get(owner.id);
    if (own === undefined) this.byIntegration.set(owner.id, (own = []));
    own.push(kept);
    this.kept.add(kept);
    this.bytes += kept.bytes;
    if (own.length > perIntegration) this.drop(own.shift());
    if (this.bytes > keptBytes)
      for (const oldest of this.kept) {
        const others = this.byIntegration.get(oldest.owner.id);
        others?.splice(others.indexOf(oldest), 1);
        this.drop(oldest);
        if (this.bytes <= keptBytes) break;
      }
    if (this.bytes > batchBytes) void this.flush();
  }

  addLimited(owner: Owner, at: string): void {
    const present = this.limited.get(owner.id);
    if (present !== undefined) {
      present.count++;
      present.lastAt = at;
    } else
      this.limited.set(owner.id, {
        integrationId: owner.id,
        organizationId: owner.organizationId,
        environment: owner.environment,
        count: 1,
        lastAt: at,
      });
  }

  private drop(kept: Kept | undefined): void {
    if (kept === undefined || !this.kept.delete(kept)) return;
    this.bytes -= kept.bytes;
    this.dropped.inc();
  }

  /** Only one flush runs at a time. */
  private flush(): Promise<void> {
    this.flushing ??= this.publishAll().finally(() => {
      this.flushing = null;
    });
    return this.flushing;
  }

  /** What is added meanwhile waits for the next flush: messages of a few records cost everybody more. */
  private async publishAll(): Promise<void> {
    let isRest = true;
    while (isRest && (this.kept.size > 0 || this.limited.size > 0) && !this.publisher.isDisconnected) {
      const limited = [...this.limited.values()];
      this.limited.clear();
      const batch: Kept[] = [];
      let text = '{"requests":[';
      let size = 0;
      for (const kept of this.kept) {
        const making = recordOf(kept, this.publisher.maxPayload - 64 * 1024);
        const record = typeof making === 'string' ? making : await making;
        size += Buffer.byteLength(record);
        if (batch.length > 0 && size > batchBytes) break;
        text += batch.length > 0 ? `,${record}` : record;
        batch.push(kept);
      }
      isRest = batch.length < this.kept.size;
      text += `],"limited":${JSON.stringify(limited)}}`;
      const publication = { subject: requestLogSubject, data: text, messageId: newUuid() };
      const ack = await this.publisher.persist(publication, performance.now() + timeoutMs, () =>
        this.streams.restore(),
      );
      if (ack.kind !== 'stored') {
        for (const record of limited) this.giveBack(record);
        return;
      }
      for (const kept of batch) this.take(kept);
    }
  }

  private take(kept: Kept): void {
    if (!this.kept.delete(kept)) return;
    this.bytes -= kept.bytes;
    const own = this.byIntegration.get(kept.owner.id);
    if (own === undefined) return;
    const at = own.indexOf(kept);
    if (at !== -1) own.splice(at, 1);
    if (own.length === 0) this.byIntegration.delete(kept.owner.id);
  }

  private giveBack(record: LimitedRecord): void {
    const present = this.limited.get(record.integrationId);
    if (present !== undefined) present.count += record.count;
    else this.limited.set(record.integrationId, record);
  }
}

/** A record as JSON. A payload that does not fit into a message is cut, and the note says so. */
function recordOf({ owner, request }: Kept, limit: number): string | Promise<string> {
  const { id, api, operation, alertKey, receivedAt, outcome, status, contentType, note, requestId, stored } = request;
  const record: RecordHead = {
    id,
    organizationId: owner.organizationId,
    environment: owner.environment,
    integrationId: owner.id,
    api,
    operation,
    alertKey,
    receivedAt,
    outcome,
    status,
    contentType,
    note,
    requestId,
    stored,
  };
  const items = request.items.length <= limit / 2 ? request.items : '[]';
  const { payload } = request;
  return payload === null || payload.length < longPayload
    ? textOf(record, `"payload":${JSON.stringify(payload?.toString() ?? null)}`, items)
    : withLongPayload(record, payload, items, limit - Buffer.byteLength(items));
}

type RecordHead = Omit<RequestRecord, 'items' | 'payload' | 'packedPayload'>;

const textOf = (record: RecordHead, payload: string, items: string): string =>
  `${JSON.stringify(record).slice(0, -1)},${payload},"items":${items}}`;

/** `room`: bytes for the packed payload. */
async function withLongPayload(
  record: RecordHead,
  payload: string | Buffer,
  items: string,
  room: number,
): Promise<string> {
  const whole = await packedFields(payload);
  if (whole.length <= room) return textOf(record, whole, items);
  // A UTF-16 code unit needs at most six bytes.
  const beginning = await packedFields(payload.toString().slice(0, Math.floor(room / 6)));
  const cut = 'The payload is too large to be kept whole: only its beginning is shown.';
  return textOf({ ...record, note: record.note === null ? cut : `${record.note} ${cut}` }, beginning, items);
}

async function packedFields(payload: string | Buffer): Promise<string> {
  const isStorable = typeof payload !== 'string' && !payload.includes(0);
  const packed = await packText(isStorable ? payload : storable(payload.toString()));
  return `"payload":null,"packedPayload":"${packed.toString('base64')}"`;
}
