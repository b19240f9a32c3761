import { allOperations } from './catalogue.js';
import { narrowedOperationIds, narrowingOf } from './narrowed-keys.js';

it('says for every operation what a narrowed key may do with it, and for no other', () => {
  expect([...narrowedOperationIds].sort()).toEqual(allOperations.map(({ operationId }) => operationId).sort());
});

it('refuses an operation that it does not know, and what belongs to nobody', () => {
  expect(narrowingOf({ operationId: 'destroyEverything' })).toEqual({ refused: expect.any(String) });
  expect(narrowingOf({ operationId: 'toString' })).toEqual({ refused: expect.any(String) });
  for (const operationId of ['listMembers', 'listAuditLog', 'simulate', 'createClient'])
    expect(narrowingOf({ operationId })).toEqual({ refused: expect.any(String) });
});
