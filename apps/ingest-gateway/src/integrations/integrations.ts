/**
 * The integrations, by the hash of their token. All are kept in memory and updated by a watch on the bucket that
 * resource-api writes. A token that is not in memory is looked up once in the bucket, since it may be new.
 *
 * The watch starts again after each reconnection, and whenever the bucket was replaced by a new one. When NATS lost the
 * bucket with its disk, the known integrations stay in use while resource-api fills the new one.
 */
import { credentialHash, integrationsBucket, isIngestToken, type IngestIntegration } from '@ams/contracts';
import {
  compileDropIn,
  compileMapping,
  type DropInApi,
  type DropInMapper,
  type Mapper,
  type MappingSettings,
} from '@ams/domain';
import { Logger, NatsConnection, openBucket, watchBucket, type BucketEntry } from '@ams/messaging';
import { Metrics, Readiness } from '@ams/service';
import type { KV } from '@nats-io/kv';
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { pause, Publisher, within } from '../publishing/publisher.js';
import { IngestSettings } from '../settings.js';

/** An integration, prepared for the hot path. */
export interface Sender {
  readonly tokenHash: string;
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly environment: IngestIntegration['environment'];
  readonly clientId: string | null;
  readonly mapper: Mapper;
  /** The maximum size of a body. A list of alerts may be larger than one alert. */
  readonly maxBodyBytes: number;
  /** The mapper for requests to a drop-in API. */
  dropIn(api: DropInApi): DropInMapper;
  /** The fields that all its events have in common, as JSON, followed by a comma. */
  readonly eventHead: string;
}

export type Lookup = { kind: 'sender'; sender: Sender } | { kind: 'unknown' } | { kind: 'unavailable' };

interface Entry {
  integration: Omit<IngestIntegration, 'settings'>;
  mapping: SharedMapping;
  sender: Sender | null;
  expiresAt: number;
  revision: number;
  /** When its bucket was created. Revisions of different buckets cannot be compared. */
  bucketCreated: string;
}

/** Many integrations have the settings of a preset, so equal settings are stored and compiled once. */
interface SharedMapping {
  text: string;
  users: number;
  mapper: Mapper | null;
  readonly dropIns: Map<DropInApi, DropInMapper>;
}

function dropInOf(mapping: SharedMapping, api: DropInApi): DropInMapper {
  let dropIn = mapping.dropIns.get(api);
  if (dropIn === undefined) {
    dropIn = compileDropIn(api, JSON.parse(mapping.text) as MappingSettings);
    mapping.dropIns.set(api, dropIn);
  }
  return dropIn;
}

const unknown: Lookup = { kind: 'unknown' };
const unavailable: Lookup = { kind: 'unavailable' };

const snapshotTimeoutMs = 10_000;
const lookupTimeoutMs = 1000;
const maxLookups = 64;
const maxMisses = 10_000;
const missMs = 1000;
const maxHashes = 20_000;
/** How long entries of a lost bucket are used if they are not written again. */
const keepAfterLossMs = 60 * 60 * 1000;

@Injectable()
export class Integrations implements OnModuleInit, OnApplicationShutdown {
  private readonly entries = new Map<string, Entry>();
  private readonly mappings = new Map<string, SharedMapping>();
  private readonly misses = new Map<string, number>();
  private readonly hashes = new Map<string, string>();
  private bucket: KV | null = null;
  private bucketCreated = '';
  private lookups = 0;
  private complete = false;
  private stopped = false;
  private restart: (() => void) | null = null;

  constructor(
    private readonly connection: NatsConnection,
    private readonly settings: IngestSettings,
    private readonly log: Logger,
    metrics: Metrics,
    private readonly publisher: Publisher,
    readiness: Readiness,
  ) {
    readiness.add('integrations', () => (this.complete ? null : 'the integrations are not read yet'));
    metrics.gauge('ams_ingest_integrations', 'Tokens that are known here.', [], (gauge) =>
      gauge.set(this.entries.size),
    );
    publisher.onReconnect(() => this.restart?.());
  }

  async onModuleInit(): Promise<void> {
    await new Promise<void>((ready) => void this.keepWatching(ready));
  }

  onApplicationShutdown(): void {
    this.stopped = true;
    this.restart?.();
  }

  /** Synchronous for known tokens and for malformed ones. */
  find(token: string): Lookup | Promise<Lookup> {
    const hash = this.hashOf(token);
    if (hash === null) return unknown;
    const entry = this.entries.get(hash);
    return entry !== undefined ? this.usable(hash, entry) : this.lookUp(hash);
  }

  private usable(hash: string, entry: Entry): Lookup {
    if (!entry.integration.enabled || Date.now() >= entry.expiresAt) return unknown;
    if (entry.sender === null) {
      const { integration, mapping } = entry;
      mapping.mapper ??= compileMapping(JSON.parse(mapping.text) as MappingSettings);
      const { id, organizationId, environment, name, clientId, dedupScope, autoResolveAfterSeconds } = integration;
      const common = {
        organizationId,
        environment,
        integrationId: id,
        integrationName: name,
        dedupScope,
        autoResolveAfterSeconds,
        clientId,
      };
      entry.sender = {
        tokenHash: hash,
        id,
        name,
        organizationId,
        environment,
        clientId,
        mapper: mapping.mapper,
        maxBodyBytes:
          mapping.mapper.itemsPath === null
            ? this.settings.maxBodyBytes
            : Math.max(this.settings.maxBodyBytes, this.settings.maxListBytes),
        dropIn: (api) => dropInOf(mapping, api),
        eventHead: `${JSON.stringify(common).slice(1, -1)},`,
      };
    }
    return { kind: 'sender', sender: entry.sender };
  }

  /** The hash of a well-formed token. Hashes of known tokens are cached. */
  private hashOf(token: string): string | null {
    const known = this.hashes.get(token);
    if (known !== undefined) return known;
    if (!isIngestToken(token)) return null;
    const hash = credentialHash(token);
    if (this.entries.has(hash)) {
      if (this.hashes.size >= maxHashes) this.hashes.clear();
      this.hashes.set(token, hash);
    }
    return hash;
  }

  private async lookUp(hash: string): Promise<Lookup> {
    const missed = this.misses.get(hash);
    if (missed !== undefined && performance.now() - missed < missMs) return unknown;
    // Unknown tokens with a valid checksum must not cause load on NATS. A real token is in memory almost at once.
    if (this.publisher.isDisconnected || this.bucket === null || this.lookups >= maxLookups) return unavailable;
    this.lookups++;
    try {
      const found = await within(lookupTimeoutMs, this.bucket.get(hash));
      if (found === 'timeout') return unavailable;
      if (found !== null) this.apply(found);
    } catch (error) {
      this.log.debug({ err: error }, 'a token could not be looked up');
      return unavailable;
    } finally {
      this.lookups--;
    }
    const entry = this.entries.get(hash);
    if (entry !== undefined) return this.usable(hash, entry);
    if (this.misses.size >= maxMisses) this.misses.clear();
    this.misses.set(hash, performance.now());
    return unknown;
  }

  private apply(entry: BucketEntry): void {
    const present = this.entries.get(entry.key);
    if (present !== undefined && present.bucketCreated === this.bucketCreated && present.revision >= entry.revision)
      return;
    if (entry.operation !== 'PUT') return this.forget(entry.key);
    try {
      const { settings, ...integration } = entry.json<IngestIntegration>();
      const mapping = this.share(JSON.stringify(settings));
      if (present !== undefined) this.release(present.mapping);
      const expiresAt = integration.expiresAt === null ? Infinity : Date.parse(integration.expiresAt);
      this.entries.set(entry.key, {
        integration,
        mapping,
        sender: null,
        expiresAt,
        revision: entry.revision,
        bucketCreated: this.bucketCreated,
      });
      this.misses.delete(entry.key);
    } catch (error) {
      this.log.error({ err: error, revision: entry.revision }, 'an integration cannot be read');
    }
  }

  private forget(hash: string): void {
    const present = this.entries.get(hash);
    if (present === undefined) return;
    this.release(present.mapping);
    this.entries.delete(hash);
  }

  private share(text: string): SharedMapping {
    let mapping = this.mappings.get(text);
    if (mapping === undefined)
      this.mappings.set(text, (mapping = { text, users: 0, mapper: null, dropIns: new Map() }));
    mapping.users++;
    return mapping;
  }

  private release(mapping: SharedMapping): void {
    if (--mapping.users === 0) this.mappings.delete(mapping.text);
  }

  private async keepWatching(ready: () => void): Promise<void> {
    while (!this.stopped) {
      try {
        await this.watch(ready);
      } catch (error) {
        if (!this.stopped) this.log.warn({ err: error }, 'the integrations cannot be watched, trying again');
        await pause(250);
      }
    }
  }

  /** One watch, from the snapshot until a restart. */
  private async watch(ready: () => void): Promise<void> {
    const end = new Promise<'restart'>((resolve) => {
      this.restart = () => resolve('restart');
    });
    this.bucket = await openBucket(this.connection, integrationsBucket);
    const seen = new Set<string>();
    const watch = await watchBucket(this.connection, integrationsBucket, (entry) => {
      seen.add(entry.key);
      this.apply(entry);
    });
    const lost = this.bucketCreated !== '' && this.bucketCreated !== watch.created;
    if (lost)
      this.log.warn({}, 'the bucket of integrations is new; the known integrations are used until it is filled');
    this.bucketCreated = watch.created;
    try {
      const outcome = await within(snapshotTimeoutMs, Promise.race([watch.ready, end]));
      if (outcome === 'restart') return;
      if (outcome === 'timeout') throw new Error('the integrations could not be read in time');
      this.sweep(seen, lost);
      this.complete = true;
      ready();
      await Promise.race([end, watch.ended]);
    } finally {
      this.restart = null;
      watch.stop();
    }
  }

  /** Removes entries that were deleted while there was no watch. Those of a lost bucket are kept for some time. */
  private sweep(seen: ReadonlySet<string>, lost: boolean): void {
    const { bucketCreated } = this;
    const drop = () => {
      for (const [hash, entry] of this.entries)
        if (!seen.has(hash) && entry.bucketCreated !== bucketCreated) this.forget(hash);
    };
    if (lost) setTimeout(drop, keepAfterLossMs).unref();
    else for (const hash of this.entries.keys()) if (!seen.has(hash)) this.forget(hash);
  }
}
