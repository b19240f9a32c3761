/**
 * The states of the parts of the service, from what its replicas report. A reading that nobody has reported lately is
 * `unknown`, and so is its part: silence does not say that all is well.
 */

export const serviceParts = ['ingest', 'alerts', 'pages', 'notifications', 'api', 'stream'] as const;
export type ServicePart = (typeof serviceParts)[number];

/** From the best to the worst: a part has the worst state of its readings. */
export const partStates = ['operational', 'unknown', 'degraded', 'down'] as const;
export type PartState = (typeof partStates)[number];

export const readingUnits = ['seconds', 'ratio', 'count'] as const;
export type ReadingUnit = (typeof readingUnits)[number];

/** `organization`: the organization's own records. `service`: the whole service; no such reading counts records. */
export type ReadingSource = 'service' | 'organization';

interface ReadingRule {
  part: ServicePart;
  unit: ReadingUnit;
  of: ReadingSource;
  /** The value from which the part is degraded, or down. Null: never. */
  degradedFrom: number | null;
  downFrom: number | null;
}

const rule = (
  part: ServicePart,
  of: ReadingSource,
  unit: ReadingUnit,
  degradedFrom: number | null,
  downFrom: number | null,
): ReadingRule => ({ part, of, unit, degradedFrom, downFrom });

const rules = {
  /** 1 when every ingest gateway that reports is not ready, else 0. */
  ingestGatewaysNotReady: rule('ingest', 'service', 'ratio', null, 1),
  /** The used part of the stream of events. When it is full, senders get 503. */
  ingestStreamFill: rule('ingest', 'service', 'ratio', 0.75, 0.99),
  oldestUnappliedEvent: rule('alerts', 'service', 'seconds', 30, 300),
  /** Partitions that no replica of the pipeline holds. */
  partitionsNotHeld: rule('alerts', 'service', 'count', 1, null),
  /** Since the lease that was renewed least recently was renewed. */
  leaseAge: rule('alerts', 'service', 'seconds', 60, null),
  /** Domain events that are committed and not published. */
  oldestOutboxEvent: rule('pages', 'service', 'seconds', 30, 300),
  oldestUnprocessedEvent: rule('pages', 'service', 'seconds', 30, 300),
  /** Since somebody looked for missing pages: the oldest of the looks. */
  missingPagesLook: rule('pages', 'service', 'seconds', 120, null),
  /** Lines of the page ledger that have not ended and wait for no delay, and since when the oldest one is open. */
  pagesDue: rule('pages', 'organization', 'count', null, null),
  oldestPageDue: rule('pages', 'organization', 'seconds', 120, 600),
  /** Of these lines, those that were missing and were put on their way again. */
  pagesMissing: rule('pages', 'organization', 'count', 1, null),
  notifiersNotReady: rule('notifications', 'service', 'ratio', null, 1),
  /** Steps and notifications of those who have little waiting (level 0). */
  oldestDueJob: rule('notifications', 'service', 'seconds', 30, 300),
  /** Notifications that were never attempted. Those that are attempted again wait for their targets. */
  notificationsWaiting: rule('notifications', 'organization', 'count', null, null),
  oldestNotificationWaiting: rule('notifications', 'organization', 'seconds', 60, 600),
  /** Services of the API of which every replica that reports is not ready. */
  servicesNotReady: rule('api', 'service', 'count', 1, null),
  oldestOutboxAuditEntry: rule('api', 'service', 'seconds', 60, null),
  /** Since the oldest event was stored that a gateway has not read; of the gateway that is furthest behind. */
  streamBehind: rule('stream', 'service', 'seconds', 15, 120),
} satisfies Record<string, ReadingRule>;

export type ReadingName = keyof typeof rules;
export const readingNames = Object.keys(rules) as ReadingName[];
export const readingRules: Readonly<Record<ReadingName, ReadingRule>> = rules;

/** A value, and how old it is. */
export interface Reading {
  value: number;
  ageSeconds: number;
}

/** Those that are known. */
export type Readings = Partial<Record<ReadingName, Reading>>;

/** The latest report of a replica of a service, with ages as of now. */
export interface ReplicaReport {
  service: string;
  isReady: boolean;
  ageSeconds: number;
  readings: Readings;
}

/** Replicas report every 5 s. An older report, and an older reading, says nothing about now. */
export const readingLimitSeconds = 30;

const isFresh = ({ ageSeconds }: { ageSeconds: number }): boolean => ageSeconds <= readingLimitSeconds;

/** The services that report the reading, each of which must; and which one of the values of the replicas counts. */
interface Reported {
  by: readonly string[];
  /** `newest`: the replicas of a service all read the same. `worst`: each reads its own. */
  of: 'newest' | 'worst';
}

/** `auth` writes its audit entries itself. */
const withOutbox = ['resource-api', 'alert-pipeline', 'workflow-engine'] as const;
/** Each answers operations of the API. */
const owners = ['auth', ...withOutbox] as const;

const reported = {
  ingestStreamFill: { by: ['alert-pipeline'], of: 'newest' },
  oldestUnappliedEvent: { by: ['alert-pipeline'], of: 'newest' },
  partitionsNotHeld: { by: ['alert-pipeline'], of: 'newest' },
  leaseAge: { by: ['alert-pipeline'], of: 'newest' },
  oldestOutboxEvent: { by: withOutbox, of: 'newest' },
  oldestOutboxAuditEntry: { by: withOutbox, of: 'newest' },
  oldestUnprocessedEvent: { by: ['workflow-engine'], of: 'newest' },
  missingPagesLook: { by: ['alert-pipeline', 'workflow-engine'], of: 'newest' },
  oldestDueJob: { by: ['workflow-engine'], of: 'newest' },
  streamBehind: { by: ['api-gateway'], of: 'worst' },
} satisfies Partial<Record<ReadingName, Reported>>;

export type ReportedName = keyof typeof reported;

/**
 * The readings of the whole service. One that a service should report and no replica of it has reported lately is left
 * out, whatever other services say.
 */
export function readingsOf(reports: readonly ReplicaReport[]): Readings {
  const fresh = reports.filter(isFresh);
  const readings: Readings = {};
  for (const name of Object.keys(reported) as ReportedName[]) {
    const { by, of }: Reported = reported[name];
    const parts = by.map((service) =>
      chosen(
        fresh.flatMap((report) => (report.service === service && report.readings[name]) || []).filter(isFresh),
        of,
      ),
    );
    set(
      readings,
      name,
      together(parts, (a, b) => Math.max(a, b)),
    );
  }
  const notReady = (service: string): Reading | null => notReadyOf(fresh.filter((one) => one.service === service));
  set(readings, 'ingestGatewaysNotReady', notReady('ingest-gateway'));
  set(readings, 'notifiersNotReady', notReady('notifier'));
  set(
    readings,
    'servicesNotReady',
    together(owners.map(notReady), (a, b) => a + b),
  );
  return readings;
}

function set(readings: Readings, name: ReadingName, reading: Reading | null): void {
  if (reading) readings[name] = reading;
}

function chosen(candidates: readonly Reading[], of: Reported['of']): Reading | null {
  const isBetter = (a: Reading, b: Reading): boolean =>
    of === 'newest' ? a.ageSeconds < b.ageSeconds : a.value > b.value;
  return candidates.reduce<Reading | null>((best, one) => (best === null || isBetter(one, best) ? one : best), null);
}

/** The values of several services as one; as old as the oldest of them. Null when one of them is not known. */
function together(parts: readonly (Reading | null)[], combine: (a: number, b: number) => number): Reading | null {
  return parts.reduce(
    (all, one) =>
      all && one && { value: combine(all.value, one.value), ageSeconds: Math.max(all.ageSeconds, one.ageSeconds) },
  );
}

/** A replica that is not ready says nothing against the service while another one is. */
function notReadyOf(fresh: readonly ReplicaReport[]): Reading | null {
  const ready = fresh.filter(({ isReady }) => isReady);
  const counted = ready.length > 0 ? ready : fresh;
  if (counted.length === 0) return null;
  return { value: ready.length > 0 ? 0 : 1, ageSeconds: Math.min(...counted.map(({ ageSeconds }) => ageSeconds)) };
}

export interface JudgedReading extends ReadingRule {
  name: ReadingName;
  state: PartState;
  /** Null: not known. */
  value: number | null;
  /** Null: never reported. */
  ageSeconds: number | null;
}

export interface JudgedPart {
  part: ServicePart;
  state: PartState;
  readings: JudgedReading[];
}

/** The worst state, `operational` of none. */
export const worstOf = (states: readonly PartState[]): PartState =>
  partStates[Math.max(0, ...states.map((state) => partStates.indexOf(state)))] ?? 'unknown';

/** Every part with its readings from these sources. */
export const judgeParts = (
  readings: Readings,
  sources: readonly ReadingSource[] = ['service', 'organization'],
): JudgedPart[] =>
  serviceParts.map((part) => {
    const judged = readingNames
      .filter((name) => readingRules[name].part === part && sources.includes(readingRules[name].of))
      .map((name) => judgeReading(name, readings[name]));
    return { part, state: worstOf(judged.map(({ state }) => state)), readings: judged };
  });

function judgeReading(name: ReadingName, reading: Reading | undefined): JudgedReading {
  const { degradedFrom, downFrom } = readingRules[name];
  const { value, ageSeconds } = reading ?? { value: null, ageSeconds: null };
  const isKnown = reading !== undefined && isFresh(reading) && Number.isFinite(reading.value);
  const reaches = (limit: number | null): boolean => isKnown && limit !== null && reading.value >= limit;
  const state = !isKnown ? 'unknown' : reaches(downFrom) ? 'down' : reaches(degradedFrom) ? 'degraded' : 'operational';
  return { ...readingRules[name], name, state, value: isKnown ? value : null, ageSeconds };
}

/** The readings as they are after so many seconds without another report. */
export const agedBy = (readings: Readings, seconds: number): Readings =>
  Object.fromEntries(
    Object.entries(readings).map(([name, { value, ageSeconds }]) => [
      name,
      { value, ageSeconds: ageSeconds + seconds },
    ]),
  );

/** The state of a part, and since when it has it (RFC 3339). */
export interface StateSince {
  state: PartState;
  since: string;
}

export type StatesSince = Partial<Record<ServicePart, StateSince>>;

/** After so long without a judgement nobody knows what the state was in between. */
export const judgementGapSeconds = 60;

/** The states with their beginnings. `judgedAt`: when `before` was judged (RFC 3339); null when nothing was judged yet. */
export function followStates(
  before: StatesSince,
  judgedAt: string | null,
  parts: readonly JudgedPart[],
  now: string,
): StatesSince {
  const isGap = judgedAt === null || Date.parse(now) - Date.parse(judgedAt) > judgementGapSeconds * 1000;
  return Object.fromEntries(
    parts.map(({ part, state }) => {
      const known = before[part];
      return [part, { state, since: known?.state === state && !isGap ? known.since : now }];
    }),
  );
}

/** What was last read of the whole service. */
export interface ServiceRead {
  /** RFC 3339; null: never. */
  readAt: string | null;
  /** With their ages at that time. */
  readings: Readings;
  states: StatesSince;
}

export interface SeenPart extends JudgedPart {
  /** Null: not known. */
  since: string | null;
}

/** The parts at the time `now` (RFC 3339), for an organization with these readings of its own. */
export function seenParts({ readAt, readings, states }: ServiceRead, own: Readings, now: string): SeenPart[] {
  const seconds = readAt === null ? 0 : Math.max(0, Date.parse(now) - Date.parse(readAt)) / 1000;
  const aged = agedBy(readings, seconds);
  const ofService = new Map(judgeParts(aged, ['service']).map(({ part, state }) => [part, state]));
  return judgeParts({ ...aged, ...own }).map((judged) => {
    const { part, state } = judged;
    const kept = states[part];
    if (ofService.get(part) !== state) return { ...judged, since: sinceLimit(judged, now) };
    return { ...judged, since: kept?.state === state ? kept.since : readAt };
  });
}

/** When the first of the readings in this state reached its limit: a time that is waited for grows by itself. */
function sinceLimit({ state, readings }: JudgedPart, now: string): string | null {
  const over = readings.flatMap((reading) => {
    const limit = state === 'down' ? reading.downFrom : reading.degradedFrom;
    const isCause = reading.state === state && reading.unit === 'seconds' && reading.of === 'organization';
    return isCause && reading.value !== null && limit !== null ? [reading.value - limit] : [];
  });
  return over.length === 0 ? null : new Date(Date.parse(now) - Math.max(...over) * 1000).toISOString();
}
