/** The reports of replicas in the bucket of the status. Their ages are by the clock of NATS, which gave them their times. */
import { statusBucket, type StatusReport } from '@ams/contracts';
import { readingNames, type Readings, type ReplicaReport } from '@ams/domain';
import { jetstream, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/transport-node';
import { managerOf, streamOfBucket } from './streams.js';

const timeoutMs = 2000;
/** Messages that are requested at once. */
const atOnce = 32;
const prefix = `$KV.${statusBucket}.`;

/** Replaces the report of this replica. Throws when NATS does not store it. */
export async function sendReport(
  connection: NatsConnection,
  service: string,
  replica: string,
  report: StatusReport,
): Promise<void> {
  await jetstream(connection, { timeout: timeoutMs }).publish(`${prefix}${service}.${replica}`, JSON.stringify(report));
}

/** The latest report of every replica; without those that this release cannot read. Throws without the bucket. */
export async function readReports(connection: NatsConnection): Promise<ReplicaReport[]> {
  const manager = await managerOf(connection);
  const stream = streamOfBucket(statusBucket);
  const info = await manager.streams.info(stream, { subjects_filter: `${prefix}>` });
  // The type of the client does not have `ts`, and servers before NATS 2.10 do not send it.
  const { ts } = info as { ts?: string };
  const now = ts === undefined ? Date.now() : Date.parse(ts);
  const subjects = Object.keys(info.state.subjects ?? {});
  const reports: ReplicaReport[] = [];
  for (let from = 0; from < subjects.length; from += atOnce) {
    const some = await Promise.all(
      subjects.slice(from, from + atOnce).map((last_by_subj) => manager.streams.getMessage(stream, { last_by_subj })),
    );
    reports.push(...some.flatMap((message) => (message && reportIn(message, now)) || []));
  }
  return reports;
}

function reportIn(message: StoredMsg, now: number): ReplicaReport | null {
  const service = message.subject.slice(prefix.length).split('.')[0] ?? '';
  const ageSeconds = Math.max(0, now - message.time.getTime()) / 1000;
  try {
    const { isReady, readings } = message.json<Partial<StatusReport> | null>() ?? {};
    return { service, isReady: isReady === true, ageSeconds, readings: knownReadings(readings, ageSeconds) };
  } catch {
    return null;
  }
}

/** Another release may have others. */
function knownReadings(sent: Partial<Record<string, unknown>> | undefined, sinceSeconds: number): Readings {
  const readings: Readings = {};
  for (const name of readingNames) {
    const { value, ageSeconds } = (sent?.[name] ?? {}) as { value?: unknown; ageSeconds?: unknown };
    if (isNumber(value) && isNumber(ageSeconds)) readings[name] = { value, ageSeconds: ageSeconds + sinceSeconds };
  }
  return readings;
}

const isNumber = (value: unknown): value is number => typeof value === 'number' && value >= 0 && Number.isFinite(value);
