// Records, a hundred in a batch, until no more may be made; and keys.
export const what = 'batches of records';
export const clients = 6;

export const prepare = () => null;

const operations = (n) =>
  Array.from({ length: 100 }, (_, i) => ({
    id: `c${i}`,
    method: 'POST',
    path: '/clients',
    body: { name: `c${n}-${i}`, slug: `c${n}-${i}` },
  }));

export const act = async ({ call }, _prepared, n) =>
  n % 10 === 9
    ? (await call('POST', '/api-keys', { name: `k${n}`, scopes: ['alerts:read'] })).status
    : (await call('POST', '/batch', { operations: operations(n) })).status;
