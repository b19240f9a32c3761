/**
 * Tries changed settings of an integration on its last payloads: each payload is mapped with the present settings and
 * with the changed ones, by the rules of the API that received it. With `dryRun: false` the code of PUT then saves
 * the changed settings, in the transaction that tried them.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  Fault,
  mediaOf,
  parsePayload,
  publicId,
  type Input,
  type NoQuery,
  type Replay,
  type ReplayedPayload,
  type ReplayPayloads,
} from '@ams/contracts';
import { Database, withIdempotency, type Tx } from '@ams/database';
import {
  changedSettings,
  compileDropIn,
  compileMapping,
  differenceBetween,
  dropInBody,
  isDropIn,
  mapDropIn,
  mapPayloadInParts,
  mayBeEmpty,
  triedItems,
  type DropInApi,
  type DropInMapper,
  type Mapped,
  type Mapper,
  type MappingSettings,
  type Received,
  type TriedItem,
} from '@ams/domain';
import { evaluationTurns, type EvaluationOwner } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { payloadOf } from '../requests/request-queries.js';
import { IntegrationProjection } from './integration-projection.js';
import { IntegrationsService } from './integrations.service.js';

type ReplayInput = Input<NoQuery, ReplayPayloads>;

const keptPayloads = 100;
/** Payloads are up to half a megabyte each, so they are not all loaded at once. */
const atOnce = 10;
/** Limits settings that are slow on purpose: a hundred payloads normally need a fraction of this time. */
const mappingMs = 5000;
/** An answer is one message. */
const answerBytes = 700 * 1024;
const listBytes = 64 * 1024;

@Injectable()
export class ReplayService {
  constructor(
    private readonly database: Database,
    private readonly projection: IntegrationProjection,
    private readonly integrations: IntegrationsService,
  ) {}

  async replay(input: ReplayInput): Promise<Replay> {
    const { principal, idempotency, body } = input;
    const { database } = this;
    const saves = body.dryRun === false;
    if (!saves && !idempotency) return database.readAs(principal, (tx) => this.tried(tx, input, false));
    const answer = await database.writeAs(principal, (tx) =>
      withIdempotency(tx, 'resource-api', principal, idempotency, () =>
        saves ? this.saved(tx, input) : this.tried(tx, input, false),
      ),
    );
    if (saves) await this.projection.flushed();
    return answer;
  }

  private async tried(tx: Tx, input: ReplayInput, mustTryAll: boolean): Promise<Replay> {
    const { id, settings } = await this.integrations.mappingOf(tx, input, { lock: mustTryAll });
    const changed = changedSettings(settings, input.body);
    const owner = { organizationId: input.principal.organizationId, record: id, isShort: true };
    return compare(payloadsOf(tx, input, id), owner, mappersOf(settings), mappersOf(changed), mustTryAll);
  }

  /** Throws CONFLICT when a payload that was accepted would be refused. */
  private async saved(tx: Tx, input: ReplayInput): Promise<Replay> {
    const replay = await this.tried(tx, input, true);
    if (replay.nowRefused > 0) {
      const many =
        replay.nowRefused === 1
          ? 'A payload that is accepted now'
          : `${replay.nowRefused} payloads that are accepted now`;
      throw new Fault(
        'CONFLICT',
        null,
        `${many} would be refused with these settings. With dryRun the answer says which and why.`,
      );
    }
    await this.integrations.change(tx, input, input.body);
    return { ...replay, saved: true };
  }
}

interface RequestRow {
  id: string;
  received_at: Date;
  api: Received['api'];
  operation: Received['operation'];
  alert_key: string | null;
  content_type: string | null;
  payload: string;
}

type StoredRow = Omit<RequestRow, 'payload'> & Parameters<typeof payloadOf>[0];

/** The settings that apply to each API. */
interface Mappers extends Record<DropInApi, DropInMapper> {
  webhook: Mapper;
}

const mappersOf = (settings: MappingSettings): Mappers => ({
  webhook: compileMapping(settings),
  pagerduty: compileDropIn('pagerduty', settings),
  opsgenie: compileDropIn('opsgenie', settings),
});

/** The kept payloads of an integration, newest first. */
async function* payloadsOf(
  tx: Tx,
  { principal, body }: ReplayInput,
  integrationId: string,
): AsyncGenerator<RequestRow> {
  let left = body.limit ?? keptPayloads;
  let before: string | null = null;
  while (left > 0) {
    const rows: StoredRow[] = await tx.query<StoredRow>(
      `SELECT id, received_at, api, operation, alert_key, content_type, payload,
         packed_payload AS "packedPayload"
       FROM resources.requests
       WHERE organization_id = $1 AND environment = $2 AND integration_id = $3
         AND (payload IS NOT NULL OR packed_payload IS NOT NULL)
         AND ($4::uuid IS NULL OR id < $4) AND ($5::timestamptz IS NULL OR received_at >= $5)
       ORDER BY id DESC LIMIT $6`,
      [
        principal.organizationId,
        principal.environment,
        integrationId,
        before,
        body.since ?? null,
        Math.min(left, atOnce),
      ],
    );
    for (const row of rows) {
      const payload = await payloadOf(row);
      if (payload !== null) yield { ...row, payload };
    }
    if (rows.length < Math.min(left, atOnce)) return;
    left -= rows.length;
    before = rows.at(-1)?.id ?? null;
  }
}

/** When the time is too short for all payloads: throws CONFLICT with `mustTryAll`, else returns how many it tried. */
async function compare(
  requests: AsyncIterable<RequestRow>,
  owner: EvaluationOwner,
  present: Mappers,
  changed: Mappers,
  mustTryAll: boolean,
): Promise<Replay> {
  const replay: Replay = {
    saved: false,
    since: null,
    same: 0,
    changed: 0,
    nowAccepted: 0,
    nowRefused: 0,
    payloads: [],
  };
  const until = performance.now() + mappingMs;
  let room = answerBytes;
  for await (const request of requests) {
    if (performance.now() > until) {
      if (mustTryAll)
        throw new Fault(
          'CONFLICT',
          null,
          'The payloads take too long to map with these settings. Nothing was saved; ' +
            'with a smaller limit fewer payloads are mapped.',
        );
      break;
    }
    const replayed = await evaluationTurns.run(owner, replayedOf(request, present, changed));
    replay.since = replayed.receivedAt;
    replay[replayed.difference]++;
    if (replayed.difference !== 'same') {
      room -= Buffer.byteLength(JSON.stringify(replayed));
      if (room > 0) replay.payloads.push(replayed);
    }
    // Other requests are served between two payloads.
    await nextTurn();
  }
  return replay;
}

function* replayedOf(request: RequestRow, present: Mappers, changed: Mappers): Generator<void, ReplayedPayload> {
  const [before, after] = [yield* tryWith(present, request), yield* tryWith(changed, request)];
  const { difference, changes } = differenceBetween(before, after);
  const id = publicId('request', request.id);
  return {
    integrationRequestId: id,
    deliveryId: id,
    receivedAt: request.received_at.toISOString(),
    difference,
    before: beginningOf(before),
    after: beginningOf(after),
    changes: beginningOf(changes),
  };
}

/** Reads the body as the ingest gateway does. */
function* tryWith(
  mappers: Mappers,
  { api, operation, alert_key: alertKey, content_type: contentType, payload }: RequestRow,
): Generator<void, TriedItem[]> {
  const media = mediaOf(contentType ?? undefined);
  if (media === null) return [{ outcome: 'unreadable', reason: 'the content type is not one that is read' }];
  try {
    const received = { api, operation, alertKey };
    const parsed = parsePayload(payload, media, mayBeEmpty(received) ? {} : undefined);
    return triedItems(yield* mapped(mappers, received, parsed));
  } catch (error) {
    if (error instanceof Fault) return [{ outcome: 'unreadable', reason: error.message }];
    if (error instanceof RangeError) return [{ outcome: 'unreadable', reason: 'The body is nested too deeply.' }];
    throw error;
  }
}

function* mapped(mappers: Mappers, received: Received, payload: unknown): Generator<void, Mapped> {
  if (!isDropIn(received)) return yield* mapPayloadInParts(mappers.webhook, payload);
  const body = dropInBody(payload);
  if (body === null) throw new Fault('INVALID_JSON', null, 'The body must be a JSON object.');
  return { kind: 'items', items: mapDropIn(mappers[received.api], received, body) };
}

/** As many elements of a list as fit into an answer. */
function beginningOf<Item>(items: readonly Item[]): Item[] {
  let bytes = 0;
  const end = items.findIndex((item) => (bytes += Buffer.byteLength(JSON.stringify(item))) > listBytes);
  return items.slice(0, end === -1 ? items.length : end);
}
