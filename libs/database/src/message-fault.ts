/**
 * Decides whether an error is the fault of a message. A message that is at fault fails whenever it is tried, so its
 * consumer sets it aside. After every other error the message waits, however long it takes: an unknown error does not
 * show that the message is at fault (docs/adr/0027).
 */
import { Fault } from '@ams/contracts';

/** A message that does not have the form of its contract. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage';
}

/** SQLSTATE classes of values: 22 data exception, 23 integrity constraint violation. */
const dataError = /^2[23]...$/;

/**
 * True only when the message itself is at fault: PostgreSQL refused one of its values, or our own code refused its form
 * or its types.
 */
export function isMessageFault(error: unknown): boolean {
  if (error instanceof Fault) return error.status < 500 && error.code !== 'RATE_LIMITED';
  if (error instanceof MalformedMessage) return true;
  const code = (error as { code?: unknown } | null | undefined)?.code;
  if (typeof code === 'string') return dataError.test(code);
  return error instanceof TypeError || error instanceof RangeError;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** How long to wait after this many failures in a row. */
export const pauseAfter = (failures: number): number =>
  Math.min(firstPauseMs * 2 ** Math.max(0, failures - 1), longestPauseMs);
