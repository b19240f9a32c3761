/**
 * The integrations that the ingest gateways see: a key-value bucket with an entry for each token that works.
 *
 * A change adds the hashes of its tokens to the outbox, not the entries. A writer of an entry first reads the revision
 * of the entry, then the database, and replaces only that revision. When two write at the same time, the one with the
 * older data fails and reads again. So older data never replaces newer data, also when a message arrives twice or
 * several replicas compare.
 */
import { integrationsBucket, integrationsProjectionSubject, newUuid, type IngestIntegration } from '@ams/contracts';
import { Database, addToOutbox, type OutboxMessage, type OutboxRow } from '@ams/database';
import { managerOf, onReconnect, NatsConnection, openBucket, whenAvailable } from '@ams/messaging';
import { Housekeeping, Outbox } from '@ams/persistence';
import { Logger, Metrics } from '@ams/service';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV, KvEntry } from '@nats-io/kv';
import { Injectable, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { In, MoreThan } from 'typeorm';
import { ResourceApiSettings } from '../settings.js';
import { removeExpiredTokens } from './integration-queries.js';
import { mappingSettingsOf } from './integration-record.js';
import { IntegrationEntity } from './integration.entity.js';

/** The entries of these tokens may have changed. */
export const projectionMessage = (tokenHashes: string[]): OutboxMessage => ({
  subject: integrationsProjectionSubject,
  messageId: newUuid(),
  payload: { tokenHashes },
});

const flushMs = 1000;
const expiredTokensEveryMs = 10_000;
const pageSize = 500;
const attempts = 20;

/** The entries that an integration should have: one, or two while its previous token still works. */
function entriesOf(integration: IntegrationEntity, now: Date): [tokenHash: string, text: string][] {
  const { previousTokenHash, previousTokenExpiresAt } = integration;
  const entry: IngestIntegration = {
    id: integration.id,
    name: integration.name,
    organizationId: integration.organizationId,
    environment: integration.environment,
    enabled: integration.enabled,
    clientId: integration.clientId,
    settings: mappingSettingsOf(integration),
    dedupScope: integration.dedupScope,
    autoResolveAfterSeconds: integration.autoResolveAfterSeconds,
    version: integration.version,
    expiresAt: null,
  };
  const entries: [string, string][] = [[integration.tokenHash, JSON.stringify(entry)]];
  if (previousTokenHash !== null && previousTokenExpiresAt !== null && previousTokenExpiresAt > now) {
    entries.push([previousTokenHash, JSON.stringify({ ...entry, expiresAt: previousTokenExpiresAt.toISOString() })]);
  }
  return entries;
}

const textOf = (entry: KvEntry | null | undefined): string | null =>
  entry?.operation === 'PUT' ? entry.string() : null;

/** Another writer has changed the entry since it was read. */
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
      'Entries in the bucket of integrations that a comparison with the database has repaired.',
    );
    outbox.publishWith(integrationsProjectionSubject, (rows) => this.publish(rows));
    housekeeping.add({
      name: 'expired tokens',
      everyMs: expiredTokensEveryMs,
      run: () => this.deleteExpiredTokens(),
    });
  }

  async onModuleInit(): Promise<void> {
    await whenAvailable(this.log, async () => {
      await this.openBucket();
      await this.compare();
    });
    const again = (): void =>
      void this.compare().catch((error: unknown) =>
        this.log.warn(
          { err: error },
          'the bucket of integrations could not be compared with the database; trying again',
        ),
      );
    this.timer = setInterval(again, this.settings.reconcileSeconds * 1000);
    // NATS may have lost the bucket: it is compared when there is one again.
    onReconnect(this.nats, () => void whenAvailable(this.log, () => this.compare()).catch(() => undefined));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearInterval(this.timer);
    await this.comparing?.catch(() => undefined);
  }

  /** Settles when the ingest gateways can see earlier commits, or after a second (then they see them later). */
  flushed(): Promise<void> {
    return this.database.afterCommit(async () => {
      if (!(await this.outbox.flushed(flushMs, ['events'])))
        this.log.warn({ ms: flushMs }, 'a change of an integration is not published yet');
    });
  }

  /** Deletes tokens that have expired from the database, and so from the bucket. */
  private async deleteExpiredTokens(): Promise<void> {
    const removed = await this.database.asService(async (tx) => {
      const hashes = await removeExpiredTokens(tx);
      if (hashes.length > 0) await addToOutbox(tx, 'resource-api', [projectionMessage(hashes)]);
      return hashes;
    });
    if (removed.length > 0) this.outbox.publishNow();
  }

  private async openBucket(): Promise<KV> {
    this.bucket = await openBucket(this.nats, integrationsBucket);
    return this.bucket;
  }

  private async publish(rows: OutboxRow[]): Promise<void> {
    const tokens = rows.flatMap(({ text }) => (JSON.parse(text) as { tokenHashes: string[] }).tokenHashes);
    try {
      await this.put([...new Set(tokens)]);
    } catch (error) {
      // NATS may have lost the bucket. The outbox tries again.
      this.bucket = null;
      throw error;
    }
  }

  /** Writes the entries of these tokens according to the database. Returns how many entries changed. */
  private async put(tokenHashes: string[]): Promise<number> {
    const bucket = this.bucket ?? (await this.openBucket());
    let left = tokenHashes;
    let changed = 0;
    for (let attempt = 1; left.length > 0; attempt++) {
      // First the revisions, then the database: see the head of this file.
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
    const hashes = In(tokenHashes);
    const found = await this.database.asService((tx) =>
      tx.repository(IntegrationEntity).findBy([{ tokenHash: hashes }, { previousTokenHash: hashes }]),
    );
    const now = new Date();
    return new Map(found.flatMap((integration) => entriesOf(integration, now)));
  }

  /** Compares the whole bucket with the database and repairs it. One run at a time; a call during a run adds one. */
  compare(): Promise<void> {
    if (this.stopped) return Promise.resolve();
    if (this.comparing) this.compareAgain = true;
    this.comparing ??= this.compareAll().finally(() => {
      this.comparing = null;
    });
    return this.comparing;
  }

  /**
   * The keys of the bucket, also those of deleted entries. A watch is not used, because it may never end when an entry
   * is deleted during it.
   */
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
      const unknown = await this.keys();
      let repaired = 0;
      let after = '00000000-0000-0000-0000-000000000000';
      while (!this.stopped) {
        const integrations = await this.integrationsAfter(after);
        const last = integrations.at(-1);
        if (!last) break;
        after = last.id;
        const now = new Date();
        const hashes = integrations.flatMap((one) => entriesOf(one, now)).map(([hash]) => hash);
        repaired += await this.put(hashes);
        for (const hash of hashes) unknown.delete(hash);
      }
      // No integration that was read has these tokens. `put` reads the database again, and deletes the entries.
      const rest = [...unknown];
      for (let i = 0; i < rest.length && !this.stopped; i += pageSize)
        repaired += await this.put(rest.slice(i, i + pageSize));
      if (repaired > 0) {
        this.repaired.inc(repaired);
        this.log.info({ entries: repaired }, 'the bucket of integrations was repaired');
      }
    } while (this.compareAgain && !this.stopped);
  }

  /** In the order of their ids, of all tenants. */
  private integrationsAfter(id: string): Promise<IntegrationEntity[]> {
    return this.database.asService((tx) =>
      tx.repository(IntegrationEntity).find({ where: { id: MoreThan(id) }, order: { id: 'ASC' }, take: pageSize }),
    );
  }
}
