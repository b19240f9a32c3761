/**
 * Requests with an idempotency key (`Idempotency-Key`, or the message id of SNS): a repetition stores nothing new.
 *
 *   reserve   an entry of the key is created, unless it exists: hash of the body, time, seed
 *   publish   event ids follow from time, seed and index, so publishing again uses the same ids
 *   finish    the answer is put into the entry
 *
 * After a failure in between, the next request with the key continues: without an answer in the entry it publishes
 * again, and the pipeline drops events whose ids it knows (`repeatable`). Nothing is lost and nothing counts twice.
 */
import { ingestIdempotencyBucket } from '@ams/contracts';
import { NatsConnection, openBucket } from '@ams/messaging';
import { JetStreamApiError } from '@nats-io/jetstream';
import type { KV } from '@nats-io/kv';
import { Injectable } from '@nestjs/common';
import { createHash, randomBytes } from 'node:crypto';
import { Publisher, within } from './publisher.js';

export interface Reservation {
  bodyHash: string;
  receivedAt: string;
  seed: string;
  /** The body of the first answer, once it exists. */
  answer: string | null;
}

export type Reserved =
  /** `first`: the key was new. */
  | { kind: 'reserved'; first: boolean; reservation: Reservation; revision: number }
  | { kind: 'reused' }
  /** No room for more keys. */
  | { kind: 'full' }
  | { kind: 'unavailable' };

const form = /^[\x20-\x7e]{1,255}$/;

export const isIdempotencyKey = (text: string): boolean => form.test(text);

/** Hashed with the token, so that no sender can reach the entries of another sender. */
export const entryKey = (tokenHash: string, key: string): string =>
  createHash('sha256').update(`${tokenHash}\n${key}`).digest('base64url');

export const bodyHash = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('base64url');

/** The id of the event at `index` of a repeatable request: a UUIDv7 of the time it was first received. */
export function eventIdOf({ receivedAt, seed }: Reservation, index: number): string {
  const bytes = createHash('sha256').update(`${seed}\n${index}`).digest().subarray(0, 16);
  bytes.writeUIntBE(Date.parse(receivedAt), 0, 6);
  bytes[6] = (bytes[6]! & 0x0f) | 0x70;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

const wrongSequence = (error: unknown): boolean =>
  error instanceof JetStreamApiError && (error.code === 10071 || error.code === 10164);
const noRoom = (error: unknown): boolean => error instanceof JetStreamApiError && error.code === 10077;

@Injectable()
export class Idempotency {
  private bucket: Promise<KV> | null = null;

  constructor(
    private readonly connection: NatsConnection,
    private readonly publisher: Publisher,
  ) {
    publisher.onReconnect(() => {
      this.bucket = null;
    });
  }

  /** The entry of the key, or `null`. */
  async find(key: string, hash: string, deadline: number): Promise<Reserved | null> {
    return this.ask(deadline, (bucket) => this.get(bucket, key, hash));
  }

  /** The entry of the key; creates it if there is none. `answer`: the answer, if it is known already. */
  async reserve(
    key: string,
    hash: string,
    receivedAt: string,
    answer: string | null,
    deadline: number,
  ): Promise<Reserved> {
    const reservation: Reservation = { bodyHash: hash, receivedAt, seed: randomBytes(16).toString('hex'), answer };
    const reserved = await this.ask(deadline, async (bucket) => {
      for (let round = 0; round < 3; round++) {
        try {
          const revision = await bucket.create(key, JSON.stringify(reservation));
          return { kind: 'reserved', first: true, reservation, revision } satisfies Reserved;
        } catch (error) {
          if (noRoom(error)) return { kind: 'full' };
          if (!wrongSequence(error)) throw error;
        }
        const present = await this.get(bucket, key, hash);
        if (present !== null) return present;
      }
      return { kind: 'unavailable' };
    });
    return reserved ?? { kind: 'unavailable' };
  }

  /** Stores the answer. If that fails, a repetition publishes again, with the same ids. */
  async finish(
    key: string,
    reservation: Reservation,
    revision: number,
    answer: string,
    deadline: number,
  ): Promise<void> {
    await this.ask(deadline, async (bucket) => {
      await bucket.update(key, JSON.stringify({ ...reservation, answer }), revision);
      return null;
    });
  }

  private async get(bucket: KV, key: string, hash: string): Promise<Reserved | null> {
    const entry = await bucket.get(key);
    if (entry === null || entry.operation !== 'PUT') return null;
    const reservation = entry.json<Reservation>();
    return reservation.bodyHash === hash
      ? { kind: 'reserved', first: false, reservation, revision: entry.revision }
      : { kind: 'reused' };
  }

  private async ask(deadline: number, question: (bucket: KV) => Promise<Reserved | null>): Promise<Reserved | null> {
    if (this.publisher.isDisconnected) await this.publisher.untilConnected(deadline);
    if (this.publisher.isDisconnected) return { kind: 'unavailable' };
    const work = (async () => {
      this.bucket ??= openBucket(this.connection, ingestIdempotencyBucket);
      return question(await this.bucket);
    })();
    try {
      const reserved = await within(Math.max(250, deadline - performance.now()), work);
      return reserved === 'timeout' ? { kind: 'unavailable' } : reserved;
    } catch {
      // The next request opens the bucket again.
      this.bucket = null;
      return { kind: 'unavailable' };
    }
  }
}
