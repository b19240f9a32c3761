import { Fault, type FieldFault } from '@ams/contracts';

/** An answer is one message. */
const maxFaults = 100;

/** Throws VALIDATION_ERROR when there are faults. */
export function throwFaults(fields: FieldFault[]): void {
  if (fields.length > 0) throw new Fault('VALIDATION_ERROR', { fields: fields.slice(0, maxFaults) });
}
