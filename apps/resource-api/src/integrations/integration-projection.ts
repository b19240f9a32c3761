/**
 * The ingest gateways' copy of the integrations: a bucket with an entry for each token that works.
 *
 * A change adds to the outbox which tokens have to be looked at again, not what they should be: whoever puts an entry
 * reads the state of the database after it has read the entry's revision, and replaces that revision only. So of two that
 * write at once, in whatever order, the one with the older state fails and looks again; an old state never takes the
 * place of a newer one, and neither a repeated message nor a comparison by several replicas does harm.
 */
import { integrationsBucket, newUuid, type IngestIntegration } from '@ams/contracts';
import { Database, addToOutbox, type OutboxMessage, type OutboxRow } from '@ams/database';
import type { MappingSettings } from '@ams/domain';
import { integrationsKv, managerOf, onReconnect, NatsConnection } from '@ams/messaging';
import { Housekeeping, Outbox } from '@ams/persistence';
import { Logger, Metrics } from '@ams/service';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { ResourceApiSettings } from '../settings.js';

const projectionSubject = 'kv.integrations';

/** Tokens (their hashes) that the bucket has to be looked at for. */
export const projectionMessage = (tokenHashes: string[]): OutboxMessage => ({
  subject: projectionSubject,
  messageId: newUuid(),
  payload: { tokenHashes },
});

const flushMs = 1000;
const expiredTokensEveryMs = 10_000;
const pageSize = 500;
const attempts = 20;

interface Row {
  id: string;
  name: string;
  organization_id: string;
  environment: 'live' | 'test';
  enabled: boolean;
  client_id: string | null;
  type: string;
  settings: Omit<MappingSettings, 'type'>;
  dedup_scope: 'integration' | 'organization';
  auto_resolve_after_seconds: number | null;
  version: number;
  token_hash: string;
  previous_token_hash: string | null;
  previous_token_expires_at: Date | null;
}

const columns =
  'id, name, organization_id, environment, enabled, client_id, type, settings, dedup_scope, auto_resolve_after_seconds, version, token_hash, ' +
  'CASE WHEN previous_token_expires_at > now() THEN previous_token_hash END AS previous_token_hash, previous_token_expires_at';

/** The entries that an integration should have: one, or two while an old token still works. */
function entriesOf(row: Row): [tokenHash: string, text: string][] {
  const entry: IngestIntegration = {
    id: row.id,
    name: row.name,
    organizationId: row.organization_id,
    environment: row.environment,
    enabled: row.enabled,
    clientId: row.client_id,
    settings: { type: row.type, ...row.settings },
    dedupScope: row.dedup_scope,
    autoResolveAfterSeconds: row.auto_resolve_after_seconds,
    version: row.version,
    expiresAt: null,
  };
  const entries: [string, string][] = [[row.token_hash, JSON.stringify(entry)]];
  if (row.previous_token_hash !== null && row.previous_token_expires_at !== null) {
    entries.push([
      row.previous_token_hash,
      JSON.stringify({ ...entry, expiresAt: row.previous_token_expires_at.toISOString() }),
    ]);
  }
  return entries;
}

const textOf = (entry: KvEntry | null | undefined): string | null =>
  entry?.operation === 'PUT' ? entry.string() : null;

/** Somebody else has written the entry since it was read. */
const isOutdated = (error: unknown): boolean =>
  error instanceof JetStreamApiError && [10071, 10164].includes(error.apiError().err_code);

@Injectable()
export class IntegrationProjection implements OnModuleInit, BeforeApplicationShutdown {
  private bucket: KV | null = null;
  private timer: NodeJS.Timeout | undefined;
  private comparing: Promise<void> | null = null;
  private compareAgain = false;
  private stopped = false;
  private readonly repaired;

  constructor(
    private readonly settings: ResourceApiSettings,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly nats: NatsConnection,
    private readonly database: Database,
    private readonly outbox: Outbox,
    housekeeping: Housekeeping,
  ) {
    this.repaired = metrics.counter(
      'ams_integration_entries_repaired_total',
      "Entries of the broker's copy of the integrations that a comparison with the database has put right.",
    );
    outbox.publishWith(projectionSubject, (rows) => this.publish(rows));
    housekeeping.add({
      name: 'expired tokens',
      everyMs: expiredTokensEveryMs,
      run: () => this.deleteExpiredTokens(),
    });
  }

  async onModuleInit(): Promise<void> {
    await this.openBucket();
    await this.compare();
    const again = (): void =>
      void this.compare().catch((error: unknown) =>
        this.log.warn({ err: error }, 'the integrations in the broker could not be compared; it will be tried again'),
      );
    this.timer = setInterval(again, this.settings.reconcileSeconds * 1000);
    onReconnect(this.nats, again);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.comparing?.catch(() => undefined);
  }

  /** Settles when the gateways can know of what was committed before; a broker that is away hears of it later. */
  async flushed(): Promise<void> {
    if (!(await this.outbox.flushed(flushMs)))
      this.log.warn({ ms: flushMs }, 'the broker does not know of a change of an integration yet');
  }

  /** Old tokens whose time is over go, from the database and so from the bucket. */
  private async deleteExpiredTokens(): Promise<void> {
    const forgotten = await this.database.asService(async (tx) => {
      const rows = await tx.query<{ hash: string }>(
        `WITH expired AS (SELECT id, previous_token_hash FROM resources.integrations WHERE previous_token_hash IS NOT NULL AND previous_token_expires_at <= now() FOR UPDATE SKIP LOCKED)
         UPDATE resources.integrations i SET previous_token_hash = NULL, previous_token_expires_at = NULL FROM expired WHERE i.id = expired.id
         RETURNING expired.previous_token_hash AS hash`,
      );
      if (rows.length > 0) await addToOutbox(tx, 'resource-api', [projectionMessage(rows.map(({ hash }) => hash))]);
      return rows.length;
    });
    if (forgotten > 0) this.outbox.kick();
  }

  private async openBucket(): Promise<KV> {
    this.bucket = await integrationsKv(this.nats, { replicas: this.settings.natsReplicas });
    return this.bucket;
  }

  private async publish(rows: OutboxRow[]): Promise<void> {
    const tokens = rows.flatMap(({ text }) => (JSON.parse(text) as { tokenHashes: string[] }).tokenHashes);
    try {
      await this.put([...new Set(tokens)]);
    } catch (error) {
      // NATS may have lost the bucket. When it is disconnected, this fails too, and the outbox tries again.
      await this.openBucket();
      throw error;
    }
  }

  /** Brings the entries of these tokens to what the database says. */
  private async put(tokenHashes: string[]): Promise<number> {
    const bucket = this.bucket ?? (await this.openBucket());
    let left = tokenHashes;
    let changed = 0;
    for (let attempt = 1; left.length > 0; attempt++) {
      // First the revision, then the state: see the head of this file.
      const present = await Promise.all(left.map((hash) => bucket.get(hash)));
      const wanted = await this.wanted(left);
      const outcomes = await Promise.all(
        left.map(async (hash, index) => {
          const entry = present[index] ?? null;
          const text = wanted.get(hash) ?? null;
          if (textOf(entry) === text) return 'same';
          try {
            if (text !== null) await bucket.put(hash, text, { previousSeq: entry?.revision ?? 0 });
            else if (entry) await bucket.delete(hash, { previousSeq: entry.revision });
            return 'changed';
          } catch (error) {
            if (!isOutdated(error) || attempt === attempts) throw error;
            return 'outdated';
          }
        }),
      );
      changed += outcomes.filter((outcome) => outcome === 'changed').length;
      left = left.filter((_, index) => outcomes[index] === 'outdated');
    }
    return changed;
  }

  private async wanted(tokenHashes: string[]): Promise<Map<string, string>> {
    const rows = await this.database.query<Row>(
      `SELECT ${columns} FROM resources.integrations WHERE token_hash = ANY($1::text[]) AND deleted_at IS NULL
       UNION SELECT ${columns} FROM resources.integrations WHERE previous_token_hash = ANY($1::text[]) AND deleted_at IS NULL`,
      [tokenHashes],
    );
    return new Map(rows.flatMap(entriesOf));
  }

  /** Compares the whole bucket with the database and puts right what differs. One comparison at a time, and one more if asked meanwhile. */
  compare(): Promise<void> {
    if (this.comparing) this.compareAgain = true;
    this.comparing ??= this.compareAll().finally(() => {
      this.comparing = null;
    });
    return this.comparing;
  }

  /** The keys of the bucket, those of deleted entries too. Not by a watch, which may wait for ever when an entry goes meanwhile. */
  private async keys(): Promise<Set<string>> {
    const prefix = `$KV.${integrationsBucket}.`;
    const manager = await managerOf(this.nats);
    const info = await manager.streams.info(`KV_${integrationsBucket}`, { subjects_filter: `${prefix}>` });
    return new Set(Object.keys(info.state.subjects ?? {}).map((subject) => subject.slice(prefix.length)));
  }

  private async compareAll(): Promise<void> {
    do {
      this.compareAgain = false;
      await this.openBucket();
      const strays = await this.keys();
      let repaired = 0;
      let after = '00000000-0000-0000-0000-000000000000';
      while (!this.stopped) {
        const rows = await this.database.query<Row>(
          `SELECT ${columns} FROM resources.integrations WHERE deleted_at IS NULL AND id > $1 ORDER BY id LIMIT ${pageSize}`,
          [after],
        );
        const last = rows.at(-1);
        if (!last) break;
        after = last.id;
        const hashes = rows.flatMap(entriesOf).map(([hash]) => hash);
        repaired += await this.put(hashes);
        for (const hash of hashes) strays.delete(hash);
      }
      // What is left belongs to no integration that was read: `put` asks the database once more, and deletes.
      const others = [...strays];
      for (let i = 0; i < others.length && !this.stopped; i += pageSize)
        repaired += await this.put(others.slice(i, i + pageSize));
      if (repaired > 0) {
        this.repaired.inc(repaired);
        this.log.info({ entries: repaired }, "the broker's copy of the integrations was put right");
      }
    } while (this.compareAgain && !this.stopped);
  }
}
