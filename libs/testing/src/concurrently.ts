/**
 * Calls `ask` with 0 to `count` - 1, at most `limit` calls at the same time, and returns the results in this order.
 * A test that counts answers uses it: requests that wait too long on a busy machine are refused, as in production.
 */
export async function concurrently<T>(count: number, limit: number, ask: (n: number) => Promise<T>): Promise<T[]> {
  const results: T[] = new Array(count);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) results[n] = await ask(n);
  };
  await Promise.all(Array.from({ length: Math.min(limit, count) }, worker));
  return results;
}
