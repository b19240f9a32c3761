import { Fault } from '@ams/contracts';

/** A payload that causes a stack overflow is refused as invalid. */
export function refuseDeepNesting<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof RangeError) throw new Fault('INVALID_JSON', null, 'The body is nested too deeply.');
    throw error;
  }
}
