import fc from 'fast-check';
import {
  followStates,
  judgeParts,
  partStates,
  readingLimitSeconds,
  readingNames,
  readingRules,
  readingsOf,
  seenParts,
  worstOf,
  type PartState,
  type Reading,
  type ReadingName,
  type Readings,
  type ReplicaReport,
  type ServicePart,
} from './service-status.js';

const now = '2026-11-20T14:00:00.000Z';
const fresh = (value: number, ageSeconds = 1): Reading => ({ value, ageSeconds });
const healthy: Readings = Object.fromEntries(readingNames.map((name) => [name, fresh(0)]));
const stateOf = (readings: Readings, part: ServicePart): PartState | undefined =>
  judgeParts(readings).find((judged) => judged.part === part)?.state;

describe('the state of a part', () => {
  test.each<[what: string, part: ServicePart, changed: Readings, state: PartState]>([
    ['nothing waits', 'alerts', {}, 'operational'],
    ['an event waits for a while', 'alerts', { oldestUnappliedEvent: fresh(29.9) }, 'operational'],
    ['an event waits long', 'alerts', { oldestUnappliedEvent: fresh(30) }, 'degraded'],
    ['an event waits very long', 'alerts', { oldestUnappliedEvent: fresh(300) }, 'down'],
    ['a partition has no replica', 'alerts', { partitionsNotHeld: fresh(1) }, 'degraded'],
    ['a reading is as old as it may be', 'alerts', { leaseAge: fresh(0, readingLimitSeconds) }, 'operational'],
    ['a reading is too old', 'alerts', { leaseAge: fresh(0, readingLimitSeconds + 0.1) }, 'unknown'],
    ['a bad reading is too old', 'alerts', { oldestUnappliedEvent: fresh(900, 31) }, 'unknown'],
    ['a reading is no number', 'alerts', { leaseAge: fresh(NaN) }, 'unknown'],
    [
      'one reading is too old, another one is bad',
      'alerts',
      { leaseAge: fresh(0, 31), oldestUnappliedEvent: fresh(40) },
      'degraded',
    ],
    ['the stream is nearly full', 'ingest', { ingestStreamFill: fresh(0.75) }, 'degraded'],
    ['no receiver is ready', 'ingest', { ingestGatewaysNotReady: fresh(1) }, 'down'],
    ['many pages are due, none for long', 'pages', { pagesDue: fresh(1000) }, 'operational'],
    ['a page of the organization waits', 'pages', { oldestPageDue: fresh(120) }, 'degraded'],
    ['a page was missing', 'pages', { pagesMissing: fresh(1) }, 'degraded'],
    ['nobody looks for missing pages', 'pages', { missingPagesLook: fresh(120) }, 'degraded'],
    ['the live stream is behind', 'stream', { streamBehind: fresh(15) }, 'degraded'],
  ])('%s: %s', (_what, part, changed, state) => {
    expect(stateOf({ ...healthy, ...changed }, part)).toBe(state);
    // Nothing else changes.
    for (const other of judgeParts({ ...healthy, ...changed }))
      if (other.part !== part) expect([other.part, other.state]).toEqual([other.part, 'operational']);
  });

  test('nothing is known: every part is unknown', () => {
    expect(judgeParts({}).map(({ state }) => state)).toEqual(Array(6).fill('unknown'));
  });

  test('each part has readings of the whole service', () => {
    for (const { readings } of judgeParts({}, ['service'])) expect(readings).not.toEqual([]);
  });

  test('no reading of the whole service counts records', () => {
    const counted = readingNames.filter(
      (name) => readingRules[name].of === 'service' && readingRules[name].unit === 'count',
    );
    expect(counted).toEqual(['partitionsNotHeld', 'servicesNotReady']);
  });
});

const names = fc.constantFrom(...readingNames);
const reading = fc.record({
  value: fc.double({ min: 0, max: 2000, noNaN: true }),
  ageSeconds: fc.double({ min: 0, max: 90, noNaN: true }),
});
const someReadings: fc.Arbitrary<Readings> = fc.dictionary(names, reading) as fc.Arbitrary<Readings>;
const rank = (state: PartState): number => partStates.indexOf(state);

test('a part is operational only when each of its readings is there, fresh and below its limits', () => {
  fc.assert(
    fc.property(someReadings, (readings) => {
      for (const { part, state } of judgeParts({ ...healthy, ...readings })) {
        const isWell = readingNames
          .filter((name) => readingRules[name].part === part)
          .every((name) => {
            const { value, ageSeconds } = readings[name] ?? fresh(0);
            const { degradedFrom, downFrom } = readingRules[name];
            return (
              ageSeconds <= readingLimitSeconds && value < Math.min(degradedFrom ?? Infinity, downFrom ?? Infinity)
            );
          });
        expect([part, state === 'operational']).toEqual([part, isWell]);
      }
    }),
  );
});

test('a missing, older or larger reading never makes a part operational', () => {
  fc.assert(
    fc.property(someReadings, names, reading, fc.boolean(), (readings, name, more, isMissing) => {
      const all = { ...healthy, ...readings };
      const before = all[name] as Reading;
      const { [name]: _left, ...others } = all;
      const worse = isMissing
        ? others
        : {
            ...all,
            [name]: { value: before.value + more.value, ageSeconds: before.ageSeconds + more.ageSeconds },
          };
      const { part } = readingRules[name];
      if (stateOf(worse, part) === 'operational') expect(stateOf(all, part)).toBe('operational');
    }),
  );
});

test('a larger reading of the same age never makes a part better', () => {
  fc.assert(
    fc.property(someReadings, names, fc.double({ min: 0, max: 2000, noNaN: true }), (readings, name, more) => {
      const all = { ...healthy, ...readings };
      const before = all[name] as Reading;
      const { part } = readingRules[name];
      const larger = { ...all, [name]: { ...before, value: before.value + more } };
      expect(rank(stateOf(larger, part) as PartState)).toBeGreaterThanOrEqual(rank(stateOf(all, part) as PartState));
    }),
  );
});

const services = [
  'api-gateway',
  'ingest-gateway',
  'auth',
  'resource-api',
  'alert-pipeline',
  'workflow-engine',
  'notifier',
];
const report = (service: string, more: Partial<ReplicaReport> = {}): ReplicaReport => ({
  service,
  isReady: true,
  ageSeconds: 2,
  readings: Object.fromEntries(readingNames.map((name) => [name, fresh(1, 3)])),
  ...more,
});
const everyService = services.map((service) => report(service));
const serviceNames = readingNames.filter((name) => readingRules[name].of === 'service');

describe('the readings of the service', () => {
  test('every reading of the whole service is known when each service reports', () => {
    expect(Object.keys(readingsOf(everyService)).sort()).toEqual([...serviceNames].sort());
  });

  test.each<[what: string, reports: ReplicaReport[], name: ReadingName, expected: Reading | undefined]>([
    [
      'replicas that read the same: the newest reading counts',
      [
        report('alert-pipeline', { readings: { leaseAge: fresh(40, 20) } }),
        report('alert-pipeline', { readings: { leaseAge: fresh(2, 4) } }),
      ],
      'leaseAge',
      fresh(2, 4),
    ],
    [
      'replicas that read their own: the worst reading counts',
      [
        report('api-gateway', { readings: { streamBehind: fresh(40, 20) } }),
        report('api-gateway', { readings: { streamBehind: fresh(0, 4) } }),
      ],
      'streamBehind',
      fresh(40, 20),
    ],
    [
      'a replica that has died does not count',
      [
        report('api-gateway', { ageSeconds: 31, readings: { streamBehind: fresh(40, 32) } }),
        report('api-gateway', { readings: { streamBehind: fresh(0, 4) } }),
      ],
      'streamBehind',
      fresh(0, 4),
    ],
    [
      'a reading that its replica could not renew does not count',
      [report('api-gateway', { readings: { streamBehind: fresh(0, 31) } })],
      'streamBehind',
      undefined,
    ],
    ['another service cannot report it', [report('resource-api')], 'leaseAge', undefined],
    [
      'of several services the largest counts, with the age of the oldest',
      everyService.map((one) =>
        one.service === 'resource-api' ? { ...one, readings: { oldestOutboxAuditEntry: fresh(9, 8) } } : one,
      ),
      'oldestOutboxAuditEntry',
      fresh(9, 8),
    ],
    [
      'one of several services is silent',
      everyService.filter(({ service }) => service !== 'resource-api'),
      'oldestOutboxAuditEntry',
      undefined,
    ],
    [
      'one replica is ready',
      [report('notifier', { isReady: false, ageSeconds: 1 }), report('notifier', { ageSeconds: 5 })],
      'notifiersNotReady',
      fresh(0, 5),
    ],
    ['no replica is ready', [report('notifier', { isReady: false, ageSeconds: 1 })], 'notifiersNotReady', fresh(1, 1)],
    ['no replica reports', [report('notifier', { ageSeconds: 31 })], 'notifiersNotReady', undefined],
    [
      'one service is not ready',
      everyService.map((one) => (one.service === 'auth' ? { ...one, isReady: false } : one)),
      'servicesNotReady',
      fresh(1, 2),
    ],
  ])('%s', (_what, reports, name, expected) => {
    expect(readingsOf(reports)[name]).toEqual(expected);
  });

  test('`auth` has no outbox to report', () => {
    const reports = everyService.map((one) => (one.service === 'auth' ? { ...one, readings: {} } : one));
    expect(Object.keys(readingsOf(reports)).sort()).toEqual([...serviceNames].sort());
  });

  test('are none without reports', () => expect(readingsOf([])).toEqual({}));
});

describe('since when', () => {
  const at = (seconds: number): string => new Date(Date.parse(now) + seconds * 1000).toISOString();
  const judged = (readings: Readings) => judgeParts(readings, ['service']);
  const before = followStates({}, null, judged(healthy), now);

  test('the first judgement begins every state', () => {
    expect(before['alerts']).toEqual({ state: 'operational', since: now });
  });

  test.each([
    ['the state stays', healthy, 5, { state: 'operational', since: now }],
    ['the state stays, and nobody has looked for long', healthy, 61, { state: 'operational', since: at(61) }],
    ['another state', { ...healthy, oldestUnappliedEvent: fresh(40) }, 5, { state: 'degraded', since: at(5) }],
    ['no reading', {}, 5, { state: 'unknown', since: at(5) }],
  ])('%s', (_what, readings, seconds, expected) => {
    expect(followStates(before, now, judged(readings), at(seconds))['alerts']).toEqual(expected);
  });

  const read = { readAt: now, readings: healthy, states: before };
  const nothingWaits = Object.fromEntries(
    readingNames.filter((name) => readingRules[name].of === 'organization').map((name) => [name, fresh(0, 0)]),
  );
  const part = (name: ServicePart, own: Readings, seconds: number) =>
    seenParts(read, { ...nothingWaits, ...own }, at(seconds)).find((one) => one.part === name);

  test('readings grow older while nobody reads them, and then they are unknown since the last reading', () => {
    expect(part('stream', {}, 20)).toMatchObject({ state: 'operational', since: now });
    expect(part('stream', {}, 20)?.readings[0]?.ageSeconds).toBe(21);
    expect(part('stream', {}, 30)).toMatchObject({ state: 'unknown', since: now });
  });

  test('what waits for one organization began when it reached the limit', () => {
    expect(part('pages', { oldestPageDue: fresh(180, 0) }, 5)).toMatchObject({ state: 'degraded', since: at(5 - 60) });
    expect(part('pages', { oldestPageDue: fresh(700, 0) }, 5)).toMatchObject({ state: 'down', since: at(5 - 100) });
    expect(part('pages', { pagesMissing: fresh(1, 0) }, 5)).toMatchObject({ state: 'degraded', since: null });
  });

  test('nothing was ever read', () => {
    const parts = seenParts({ readAt: null, readings: {}, states: {} }, {}, now);
    expect(parts.map(({ state, since }) => [state, since])).toEqual(Array(6).fill(['unknown', null]));
    expect(worstOf(parts.map(({ state }) => state))).toBe('unknown');
  });
});
