/** What a batch names: the operation of each path, its references and its scope. All of it is checked before it runs. */
import {
  batchLimits,
  Fault,
  operationAt,
  refusalToNarrowed,
  runBatch,
  type Batch,
  type FieldFault,
  type Operation,
  type Principal,
} from '@ams/contracts';
import { referencesIn } from '@ams/domain';
import { grants } from '@ams/scopes';

export interface PlannedOperation {
  id: string;
  operation: Operation;
  /** May have references, as the body may. */
  params: Record<string, string>;
  body: unknown;
  hasReferences: boolean;
}

export type Plan = { kind: 'plan'; operations: PlannedOperation[] } | { kind: 'faults'; faults: FieldFault[] };

/** `here`: the operations that can be part of a batch. `all`: those of the whole API. */
export function planOf({ operations }: Batch, here: readonly Operation[], all: readonly Operation[]): Plan {
  const faults: FieldFault[] = [];
  const planned: PlannedOperation[] = [];
  const names = new Set(operations.map(({ id }) => id));
  const earlier = new Map<string, Operation | null>();
  operations.slice(0, batchLimits.operations).forEach(({ id, method, path, body }, index) => {
    const at = `operations[${index}]`;
    const found = operationAt(all, method, path);
    const fault = (field: string, rule: string, message: string): void =>
      void faults.push({ path: `${at}.${field}`, rule, message: `${at}.${field} ${message}` });
    const references = referencesIn([path.split('/'), body ?? null], names);
    for (const name of references) {
      if (!earlier.has(name)) fault('body', 'reference', `refers to $${name}, which is not an earlier operation`);
      else if (earlier.get(name)?.reply === 'none')
        fault('body', 'reference', `refers to $${name}, which makes no record`);
    }
    earlier.set(id, found.kind === 'operation' ? found.operation : null);
    if (found.kind === 'nothing')
      return fault('path', 'unknown', `${path} is not a path below /api/v1, such as /clients`);
    if (found.kind === 'otherMethods')
      return fault('method', 'unknown', `${method} is not allowed for ${path}: it accepts ${found.allowed.join(', ')}`);
    const { operation, params } = found;
    if (!here.some((one) => one.id === operation.id) || operation.id === runBatch.id)
      return fault('path', 'batch', `${path} cannot be part of a batch`);
    planned.push({ id, operation, params, body: body ?? null, hasReferences: references.length > 0 });
  });
  return faults.length > 0 ? { kind: 'faults', faults } : { kind: 'plan', operations: planned };
}

/** Throws INSUFFICIENT_SCOPE for the first operation that the principal may not use. */
export function requireScopes(principal: Principal, operations: readonly PlannedOperation[]): void {
  for (const { id, operation } of operations) {
    if (operation.scope !== null && !grants(principal.scopes, operation.scope))
      throw new Fault(
        'INSUFFICIENT_SCOPE',
        { required: operation.scope },
        `The operation ${id} needs the scope ${operation.scope}, which the API key does not have.`,
      );
    const refused = refusalToNarrowed(principal, operation);
    if (refused) throw refused;
  }
}
