/**
 * Waits for statements of one transaction that were sent at once: PostgreSQL executes them in the order in which they
 * were sent. Throws the error of the first that failed, when none of them is under way any more: otherwise the rest of
 * a caller could send a statement after the ROLLBACK, which would commit alone. None of them may use `inEnvironment` or
 * `beyondNarrowing`: the others would be executed with these settings.
 */
export async function sentTogether<Results extends unknown[]>(sent: {
  [Index in keyof Results]: Promise<Results[Index]>;
}): Promise<Results> {
  const settled = await Promise.allSettled<unknown>(sent);
  return settled.map(valueOf) as Results;
}

export function valueOf<Value>(settled: PromiseSettledResult<Value>): Value {
  if (settled.status === 'rejected') throw settled.reason;
  return settled.value;
}
