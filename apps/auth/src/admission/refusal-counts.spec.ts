import fc from 'fast-check';
import { newUuid } from '@ams/contracts';
import { RefusalCounts, type Refusal } from './refusal-counts.js';

const refusal = fc.record<Refusal>({
  organizationId: fc.constantFrom('a', 'b', 'c'),
  environment: fc.constantFrom('live', 'test'),
  type: fc.constantFrom('api_key.refused', 'request.refused'),
  actor: fc.record({ type: fc.constant('api_key' as const), id: fc.constantFrom('k1', 'k2'), name: fc.constant('k') }),
  ip: fc.constantFrom(null, '192.0.2.1', '192.0.2.2', '192.0.2.3'),
  resource: fc.constantFrom(null, { type: 'operation', id: 'listAlerts' }),
  reason: fc.constantFrom(null, 'revoked', 'expired'),
});

const countOf = (changes: { field: string; after: unknown }[]): number =>
  changes.find(({ field }) => field === 'count')?.after as number;

it('counts every refusal once, in a limited number of entries', () => {
  fc.assert(
    fc.property(fc.array(refusal, { maxLength: 200 }), fc.nat(6), fc.nat(20), (refusals, perTenant, total) => {
      const counts = new RefusalCounts({ perTenant, total });
      for (const one of refusals) counts.add(one);
      const { entries, beyond } = counts.take(new Date(0), newUuid);
      const counted = entries.reduce((sum, { changes }) => sum + countOf(changes), 0);
      expect(counted + beyond).toBe(refusals.length);
      expect(entries.length).toBeLessThanOrEqual(total);
      for (const organization of ['a', 'b', 'c'])
        for (const environment of ['live', 'test']) {
          const own = entries.filter((one) => one.organizationId === organization && one.environment === environment);
          expect(own.length).toBeLessThanOrEqual(perTenant + 2);
        }
      expect(counts.take(new Date(0), newUuid)).toEqual({ entries: [], beyond: 0 });
    }),
    { numRuns: 100 },
  );
});

it('many addresses of one organization take no room of another one', () => {
  const counts = new RefusalCounts({ perTenant: 3, total: 100 });
  const of = (organizationId: string, ip: string): Refusal => ({
    organizationId,
    environment: 'live',
    type: 'api_key.refused',
    actor: { type: 'api_key', id: 'key_1', name: 'bot' },
    ip,
    resource: { type: 'api_key', id: 'key_1' },
    reason: 'revoked',
  });
  for (let i = 0; i < 1000; i++) counts.add(of('loud', `192.0.2.${i}`));
  counts.add(of('quiet', '192.0.2.1'));
  const { entries } = counts.take(new Date(0), newUuid);
  expect(entries.map(({ organizationId, ip, changes }) => [organizationId, ip, countOf(changes)])).toEqual([
    ['loud', '192.0.2.0', 1],
    ['loud', '192.0.2.1', 1],
    ['loud', '192.0.2.2', 1],
    ['loud', null, 997],
    ['quiet', '192.0.2.1', 1],
  ]);
});
