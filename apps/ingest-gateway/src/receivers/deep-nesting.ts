import { Fault } from '@ams/contracts';

/** A payload that causes a stack overflow is refused as invalid. */
export function refuseDeepNesting<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw asFault(error);
  }
}

/** The same for work in parts. */
export function* refusingDeepNesting<Result>(work: Generator<void, Result>): Generator<void, Result> {
  try {
    return yield* work;
  } catch (error) {
    throw asFault(error);
  }
}

const asFault = (error: unknown): unknown =>
  error instanceof RangeError ? new Fault('INVALID_JSON', null, 'The body is nested too deeply.') : error;
