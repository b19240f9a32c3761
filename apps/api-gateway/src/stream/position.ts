/**
 * Positions in the stream of events. `<epoch>-<sequence>-<index>` is an event: the index in its message. Without the
 * index it is the end of the message. The epoch names the stream in NATS: one that was created again has other
 * messages under the same sequences.
 */
export interface Position {
  epoch: string;
  sequence: number;
  /** Infinity: all events of the message. */
  index: number;
}

export const epochOf = (created: string): string => Math.max(0, Date.parse(created) || 0).toString(36);

export const textOf = ({ epoch, sequence, index }: Position): string =>
  `${epoch}-${sequence}${index === Infinity ? '' : `-${index}`}`;

const form = /^([0-9a-z]{1,12})-(\d{1,15})(?:-(\d{1,9}))?$/;

/** Null for a text that is no position. */
export function positionOf(text: string): Position | null {
  const found = form.exec(text);
  if (!found) return null;
  const [, epoch = '', sequence, index] = found;
  return { epoch, sequence: Number(sequence), index: index === undefined ? Infinity : Number(index) };
}

/** Whether the event at `index` of the message `sequence` comes after the position. */
export const isAfter = (sequence: number, index: number, position: Position): boolean =>
  sequence > position.sequence || (sequence === position.sequence && index > position.index);

/** The first message that has events after the position. */
export const firstMessageAfter = ({ sequence, index }: Position): number =>
  index === Infinity ? sequence + 1 : sequence;

/** `next`: the sequence that the next message will have. Whether the stream has got as far as the position. */
export const isReached = (position: Position, epoch: string, next: number): boolean =>
  position.epoch === epoch && position.sequence < next;
