/** Whether a position fits the ingest stream. A position that does not fit means that events may be lost. */
export interface PositionGap {
  /** The position from which the partition is read. */
  position: number;
  /** Sequences of the stream that this database has not seen. They may belong to other partitions. */
  missing: number;
  /** For the operator. */
  message: string;
}

interface Ends {
  first_seq: number;
  last_seq: number;
}

/** `null` when the position fits. */
export function gapAt(position: number, { first_seq: first, last_seq: last }: Ends): PositionGap | null {
  if (first > position + 1)
    return {
      position: first - 1,
      missing: first - 1 - position,
      message:
        `messages ${position + 1} to ${first - 1} of the ingest stream were deleted before this database applied ` +
        'them: the database is older than what was purged (a restored backup, or a standby that lagged too much)',
    };
  if (position > last)
    return {
      // New messages may have taken the places of lost ones, so everything is read again; known events are skipped.
      position: Math.max(0, first - 1),
      missing: position - last,
      message:
        `the position ${position} is after the end of the ingest stream (${last}): NATS has lost messages, and ` +
        'the database has applied some of them',
    };
  return null;
}
