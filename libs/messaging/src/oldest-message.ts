/** The age of messages of a stream, by the clock of the NATS server that also gave them their times. */
import type { SeqMsgRequest, StreamAPI, StreamInfo } from '@nats-io/jetstream';

export interface MessagesFrom {
  /** The first sequence that counts. */
  sequence: number;
  /** Subject, with wildcards; all by default. */
  subject?: string;
}

/** Seconds since the first message from there on was stored; 0 without one. `info` was requested just before. */
export async function secondsSinceMessage(
  streams: StreamAPI,
  info: StreamInfo,
  { sequence, subject = '>' }: MessagesFrom,
): Promise<number> {
  // The type of the client does not have `next_by_subj`, the next message of the subject at or after the sequence.
  const request = { seq: Math.max(1, sequence), next_by_subj: subject } as SeqMsgRequest;
  const message = await streams.getMessage(info.config.name, request);
  if (!message) return 0;
  // Nor `ts`, which servers before NATS 2.10 do not send.
  const { ts } = info as { ts?: string };
  return Math.max(0, (ts === undefined ? Date.now() : Date.parse(ts)) - message.time.getTime()) / 1000;
}
