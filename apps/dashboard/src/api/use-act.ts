/** A change: `const acknowledge = useAct('acknowledgeAlert', { changes: ['listAlerts', 'getAlert'] })`. */
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query';
import type { ApiError } from './api-error.js';
import { call, type CallOptions } from './call.js';
import type { Input, OperationId, Reply } from './operation-types.js';
import { invalidate } from './queries.js';

export interface Act<Id extends OperationId> {
  /** Operations whose answers this changes: they are read again after it. */
  changes?: readonly OperationId[];
  onSuccess?: (reply: Reply<Id>, input: Input<Id> & CallOptions) => void;
  onError?: (error: ApiError, input: Input<Id> & CallOptions) => void;
}

/** `ifVersion` and `idempotencyKey` go beside the input: `act.mutate({ path: { id }, body, ifVersion: version })`. */
export function useAct<Id extends OperationId>(
  id: Id,
  { changes = [], onSuccess, onError }: Act<Id> = {},
): UseMutationResult<Reply<Id>, ApiError, Input<Id> & CallOptions> {
  const queries = useQueryClient();
  return useMutation({
    mutationKey: [id],
    mutationFn: async ({ ifVersion, idempotencyKey, ...input }: Input<Id> & CallOptions): Promise<Reply<Id>> =>
      (call as unknown as (id: OperationId, input: object, options: CallOptions) => Promise<unknown>)(id, input, {
        ifVersion,
        idempotencyKey,
      }) as Promise<Reply<Id>>,
    onSuccess: async (reply, input) => {
      onSuccess?.(reply, input);
      await invalidate(queries, changes);
    },
    onError,
  });
}
