/**
 * Deletes from NATS what every reader of a stream has committed, but only when that was committed longer ago than the
 * lag of a standby server. After a failover to the standby, positions are older, and the messages after them are read
 * again. The size of the stream has priority, because a full stream refuses new messages: above three quarters of it,
 * the older half of what is committed is deleted without regard to the lag.
 *
 * It purges by sequence only: for a purge by subject NATS reads each message, and nobody can publish during that time.
 */
import { consumers, managerOf, type Logger, type NatsConnection } from '@ams/messaging';
import type { StreamInfo } from '@nats-io/jetstream';

/** Above this part of its size a stream is purged without regard to the lag. */
const fillLimit = 0.75;

export interface StreamPurgeOptions {
  nats: NatsConnection;
  stream: string;
  /** How long committed messages stay, in milliseconds. */
  lagMs: number;
  log: Pick<Logger, 'warn'>;
  /** A clock that never jumps, in milliseconds. */
  now: () => number;
}

export class StreamPurge {
  private created = '';
  /** What was committed at which time, oldest first. One entry is older than the lag. */
  private seen: { at: number; sequence: number }[] = [];

  constructor(private readonly options: StreamPurgeOptions) {}

  /**
   * `committed`: the sequence up to which every reader has committed. `recorded`: the sequence up to which the database
   * has records of that. It is lower after a failover with loss of data, until the reader has read again. Returns the
   * stream after the purge.
   */
  async run(info: StreamInfo, committed: number, recorded = committed): Promise<StreamInfo> {
    const agreed = Math.min(recorded, this.committedBeforeLag(String(info.created), committed));
    let present = agreed >= info.state.first_seq ? await this.purge(agreed) : info;
    while (isTooFull(present) && present.state.first_seq <= committed) {
      const { stream, log } = this.options;
      const half = Math.floor((present.state.first_seq + committed) / 2);
      log.warn(
        { stream, upTo: half },
        'the stream is nearly full; messages are deleted although a standby server may not have their effects',
      );
      present = await this.purge(half);
    }
    return present;
  }

  private committedBeforeLag(created: string, committed: number): number {
    const { lagMs, now } = this.options;
    if (created !== this.created) this.seen = [];
    this.created = created;
    const at = now();
    this.seen.push({ at, sequence: committed });
    while (this.seen[1] && this.seen[1].at <= at - lagMs) this.seen.shift();
    const [oldest] = this.seen;
    return oldest && oldest.at <= at - lagMs ? oldest.sequence : 0;
  }

  private async purge(upTo: number): Promise<StreamInfo> {
    const { nats, stream } = this.options;
    const manager = await managerOf(nats);
    await manager.streams.purge(stream, { seq: upTo + 1 });
    return manager.streams.info(stream);
  }
}

const isTooFull = ({ config, state }: StreamInfo): boolean =>
  config.max_bytes > 0 && state.bytes > config.max_bytes * fillLimit;

/** The sequence of the stream of domain events up to which its durable consumer has acknowledged. */
export async function acknowledgedFloor(nats: NatsConnection): Promise<number> {
  const { stream, config } = consumers.domainEvents;
  return (await (await managerOf(nats)).consumers.info(stream, config.durable_name)).ack_floor.stream_seq;
}
