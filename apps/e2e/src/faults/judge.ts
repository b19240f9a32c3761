/**
 * Compares what was accepted with what is stored and what was paged, from outside: the API, the tables, and the
 * receivers of pages.
 */
import { publicId, uuidOf, type Alert } from '@ams/contracts';
import pg from 'pg';
import type { List, Organization } from '../system.js';
import type { FaultRun } from './fault.js';
import type { Load, Message, Story } from './load.js';
import type { Page, PageKind } from './pages.js';

export interface Figures {
  /** Messages of senders; a message that is sent again counts once. */
  sent: number;
  accepted: number;
  applied: number;
  /** Events that were accepted and not applied. */
  lost: number;
  /** Events or occurrences that were counted more than once, and writes of the API that took effect twice. */
  doubled: number;
  /** Alerts with another order or state than that of the accepted events. */
  wrong: number;
  pagesDue: number;
  pagesSent: number;
  /** Due pages that the service did not send, for a reason that it states (`GET /notifications`). */
  pagesSkipped: number;
  pagesLost: number;
  /** A second notification for the same alert and kind. */
  pagesDoubled: number;
  /** The same notification, received again. Its receiver recognizes the id. */
  pagesRepeated: number;
  /** Answered requests without exactly one `api_key.used` entry. */
  auditWrong: number;
}

export interface Verdict {
  figures: Figures;
  /** What is wrong, in words; at most some examples of each kind. */
  problems: string[];
}

interface StoredAlert {
  alert: Alert;
  /** Ids of the events that changed it, in their order. */
  eventIds: string[];
}

/** Runs one statement on a new connection, because connections of the fault's time may be lost. */
export async function query<T extends pg.QueryResultRow>(run: FaultRun, text: string, values: unknown[]): Promise<T[]> {
  const client = new pg.Client({
    connectionString: run.databaseUrl,
    connectionTimeoutMillis: 5000,
    query_timeout: 10_000,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return (await client.query<T>(text, values)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}

export const acceptedIdsOf = (load: Load): string[] =>
  load.stories.flatMap(({ messages }) => messages.flatMap(({ eventId }) => eventId ?? []));

/** Which of these events are applied, with the alert of each. */
export async function appliedOf(run: FaultRun, eventIds: readonly string[]): Promise<Map<string, string | null>> {
  const uuids = eventIds.map((id) => uuidOf('event', id));
  const rows = await query<{ id: string; alert_id: string | null }>(
    run,
    'SELECT id, alert_id FROM alerts.events WHERE id = ANY ($1::uuid[])',
    [uuids],
  );
  return new Map(rows.map(({ id, alert_id }) => [publicId('event', id), publicId('alert', alert_id)]));
}

const pageKey = (alertId: string, kind: PageKind): string => `${alertId} ${kind}`;

/** The kinds by the ids of the workflows' steps. */
const kindOfStep: Record<string, PageKind> = {
  page: 'created',
  first: 'first',
  second: 'second',
  resolved: 'resolved',
};

/** The pages that are due for an alert. */
const kindsOf = (label: Story['label'], isResolved: boolean): PageKind[] => [
  ...(label === 'mail' ? (['created'] as const) : (['first', 'second'] as const)),
  ...(isResolved ? (['resolved'] as const) : []),
];

export interface DuePage {
  alertId: string;
  kind: PageKind;
}

const missing = (due: readonly DuePage[], pages: readonly Page[]): DuePage[] => {
  const received = new Set(pages.map(({ alertId, kind }) => pageKey(alertId, kind)));
  return due.filter(({ alertId, kind }) => !received.has(pageKey(alertId, kind)));
};

/** The due pages of these alerts that have neither arrived nor been skipped for a stated reason. */
export async function missingPages(
  run: FaultRun,
  due: readonly DuePage[],
  pages: readonly Page[],
): Promise<{ missing: DuePage[]; skipped: number }> {
  const open = missing(due, pages);
  if (open.length === 0) return { missing: [], skipped: 0 };
  // All of them, which are few: a condition with a thousand ids takes PostgreSQL longer.
  const rows = await query<{ alert_id: string; step_id: string }>(
    run,
    `SELECT alert_id, step_id FROM workflows.notifications WHERE status = 'skipped' AND alert_id IS NOT NULL`,
    [],
  );
  const skipped = new Set(rows.map(({ alert_id, step_id }) => `${publicId('alert', alert_id)} ${kindOfStep[step_id]}`));
  const left = open.filter(({ alertId, kind }) => !skipped.has(pageKey(alertId, kind)));
  return { missing: left, skipped: open.length - left.length };
}

/** The pages for the alerts of these events that are due at once. */
export function duePages(load: Load, applied: ReadonlyMap<string, string | null>, now: boolean): DuePage[] {
  return load.stories.flatMap(({ label, messages }) =>
    messages.flatMap(({ eventId, status }, index): DuePage[] => {
      const alertId = eventId === null ? null : applied.get(eventId);
      if (!alertId) return [];
      const opens = status === 'firing' && messages[index - 1]?.status !== 'firing';
      const kinds = opens ? kindsOf(label, false) : status === 'resolved' ? (['resolved'] as const) : [];
      return kinds.filter((kind) => !(now && kind === 'second')).map((kind) => ({ alertId, kind }));
    }),
  );
}

/** What the workflow engine has recorded about pages that were not sent. */
async function explained(run: FaultRun, lost: readonly DuePage[]): Promise<string[]> {
  const rows = await query<{ alert_id: string; text: string }>(
    run,
    `SELECT r.alert_id, concat_ws(' ', r.event_type, r.status, r.error, (
       SELECT json_agg(concat_ws(' ', x->>'stepId', x->>'outcome', x->>'reason')) FROM jsonb_array_elements(r.results) x
     ), (
       SELECT json_agg(concat_ws(' ', n.step_id, n.status, n.attempts, n.reason, n.next_attempt_at))
       FROM workflows.notifications n WHERE n.run_id = r.id
     )) AS text FROM workflows.runs r WHERE r.alert_id = ANY ($1::uuid[])`,
    [lost.map(({ alertId }) => uuidOf('alert', alertId))],
  );
  return lost.map(({ alertId, kind }) => {
    const runs = rows.filter(({ alert_id }) => publicId('alert', alert_id) === alertId);
    return `the page "${kind}" for ${alertId} was not sent; runs: ${runs.map(({ text }) => text).join('; ') || 'none'}`;
  });
}

export async function judge(run: FaultRun, load: Load, pages: readonly Page[]): Promise<Verdict> {
  const stored = await storedAlerts(run, load);
  const accepted = acceptedIdsOf(load);
  const applied = await appliedOf(run, accepted);
  const problems: string[] = [];
  const problem = (text: string): number => problems.push(text);

  const lost = accepted.filter((id) => !applied.has(id));
  const isDestroyed = (id: string): boolean => run.destroyed.eventIds.has(id);
  for (const id of lost.filter((one) => !isDestroyed(one))) problem(`event ${id} was accepted and is not applied`);
  let doubled = 0;
  let wrong = 0;
  const due: DuePage[] = [];
  for (const story of load.stories) {
    const alerts = stored.get(story.fingerprint) ?? [];
    const told = run.destroyed.idempotencyKeys ? { ...story, hasKey: false } : story;
    const result = judgeStory(told, alerts, new Set([...lost, ...repeatedResolves(told, applied)]));
    doubled += result.doubled;
    if (result.faults.length > 0) wrong++;
    for (const fault of result.faults) problem(`${story.fingerprint}: ${fault}`);
    for (const { alert } of alerts)
      for (const kind of kindsOf(story.label, alert.status === 'resolved')) due.push({ alertId: alert.id, kind });
  }

  const writes = await judgeWrites(run, load);
  doubled += writes.doubled;
  const audit = await judgeAudit(run, load);
  // What only PostgreSQL had is lost with its commits.
  if (!run.destroyed.commits) problems.push(...writes.problems, ...audit.problems);
  const ofPages = await judgePages(run, due, pages);
  problems.push(...ofPages.problems);
  const aside = await query<{ n: number }>(
    run,
    `SELECT (SELECT count(*) FROM alerts.set_aside WHERE organization_id = ANY ($1::uuid[]))::int
       + (SELECT count(*) FROM workflows.set_aside WHERE organization_id = ANY ($1::uuid[]))::int AS n`,
    [organizationsOf(load).map(({ id }) => uuidOf('organization', id))],
  );
  if (aside[0]?.n) problem(`${aside[0].n} good messages were set aside`);
  for (const { name, running, restarts, kills, log } of run.system.allReplicas) {
    if (!running) problem(`${name} does not run`);
    const ends = restarts - kills - (run.endsBefore.get(name) ?? 0);
    const fatal = log()
      .split('\n')
      .filter((line) => line.startsWith('{"level":"fatal"'));
    if (ends > 0)
      problem(`${name} ended ${ends} times on its own: ${fatal.at(-1)?.slice(0, 500) ?? 'nothing fatal is logged'}`);
    const failed = fatal.find((line) => /"msg":"(uncaught exception|unhandled rejection)"/.test(line));
    if (failed !== undefined) problem(`${name} failed on its own: ${failed.slice(0, 500)}`);
  }
  return {
    figures: {
      sent: load.stories.reduce((sum, { messages }) => sum + messages.length, 0),
      accepted: accepted.length,
      applied: applied.size,
      lost: lost.length,
      doubled,
      wrong,
      ...ofPages.figures,
      auditWrong: audit.wrong,
    },
    problems,
  };
}

const organizationsOf = (load: Load): Organization[] => [...new Set(load.stories.map((story) => story.organization))];

/** The alerts of each fingerprint, the older first, from the API, with their events from the tables. */
async function storedAlerts(run: FaultRun, load: Load): Promise<Map<string, StoredAlert[]>> {
  const known = new Set(load.stories.map(({ fingerprint }) => fingerprint));
  const alerts: Alert[] = [];
  for (const organization of organizationsOf(load))
    alerts.push(...(await allAlerts(organization)).filter(({ fingerprint }) => known.has(fingerprint)));
  const rows = await query<{ alert_id: string; ids: string[] }>(
    run,
    `SELECT alert_id, array_agg(cause->>'id' ORDER BY alert_version, id) AS ids FROM alerts.timeline
     WHERE alert_id = ANY ($1::uuid[]) AND cause->>'type' = 'event' GROUP BY 1`,
    [alerts.map(({ id }) => uuidOf('alert', id))],
  );
  const idsOf = new Map(rows.map(({ alert_id, ids }) => [publicId('alert', alert_id), [...new Set(ids)]]));
  const byFingerprint = new Map<string, StoredAlert[]>();
  for (const alert of alerts) {
    const list = byFingerprint.get(alert.fingerprint) ?? [];
    list.push({ alert, eventIds: idsOf.get(alert.id) ?? [] });
    byFingerprint.set(alert.fingerprint, list);
  }
  for (const [fingerprint, list] of byFingerprint) byFingerprint.set(fingerprint, inOrder(list));
  return byFingerprint;
}

/** Alerts that one transaction has created have the same time. Each names the previous alert. */
function inOrder(list: readonly StoredAlert[]): StoredAlert[] {
  const ids = new Set(list.map(({ alert }) => alert.id));
  const ordered = list.filter(({ alert }) => !ids.has(String(alert.previousAlertId)));
  for (const { alert } of ordered) ordered.push(...list.filter((next) => next.alert.previousAlertId === alert.id));
  return ordered;
}

async function allAlerts({ api }: Organization): Promise<Alert[]> {
  const alerts: Alert[] = [];
  let cursor: string | null = null;
  do {
    const filter: Record<string, string> = { sort: 'createdAt', limit: '100', ...(cursor === null ? {} : { cursor }) };
    const { status, body } = await api.get<List<Alert>>('/api/v1/alerts', { query: filter });
    if (status !== 200) throw new Error(`alerts could not be listed: ${status} ${JSON.stringify(body)}`);
    alerts.push(...body.data);
    cursor = body.meta.nextCursor;
  } while (cursor !== null);
  return alerts;
}

/** The alert that the accepted messages must have made. */
interface ExpectedAlert {
  eventIds: string[];
  status: Message['status'];
  occurrences: number;
}

function expectedAlerts(messages: readonly Message[]): ExpectedAlert[] {
  const alerts: ExpectedAlert[] = [];
  for (const { eventId, status } of messages) {
    if (eventId === null) continue;
    let last = alerts.at(-1);
    const isOpen = last !== undefined && last.status !== 'resolved';
    if (!isOpen && status === 'resolved') continue; // noMatch: the event that opened the alert was lost
    if (!last || !isOpen) alerts.push((last = { eventIds: [], status, occurrences: 0 }));
    last.eventIds.push(eventId);
    last.status = status;
    if (status === 'firing') last.occurrences++;
  }
  return alerts;
}

/**
 * Resolves without an alert: an earlier attempt of the same message, which was not answered, had resolved it. With a key
 * all attempts have the same event.
 */
const repeatedResolves = ({ hasKey, messages }: Story, applied: ReadonlyMap<string, string | null>): string[] =>
  (hasKey ? [] : messages).flatMap(({ status, attempts, eventId }) =>
    status === 'resolved' && attempts > 1 && eventId !== null && applied.get(eventId) === null ? [eventId] : [],
  );

/** Ignores the events that are `absent` from the alerts: lost ones, and resolves without an alert. */
function judgeStory(
  { hasKey, messages }: Story,
  alerts: readonly StoredAlert[],
  absent: ReadonlySet<string>,
): { doubled: number; faults: string[] } {
  const faults: string[] = [];
  const check = (holds: boolean, what: string) => holds || faults.push(what);
  const applied = alerts.flatMap(({ eventIds }) => eventIds);
  const known = new Set(messages.flatMap(({ eventId }) => eventId ?? []));
  const extra = applied.filter((id) => !known.has(id)).length;
  // Attempts whose answer the sender did not see. With a key they have the event of the accepted one.
  const unanswered = messages.reduce(
    (sum, { attempts, eventId }) => sum + (hasKey ? (eventId === null ? 1 : 0) : attempts - (eventId === null ? 0 : 1)),
    0,
  );
  let doubled = Math.max(0, extra - unanswered);
  check(doubled === 0, `${extra} events that were not accepted, at most ${unanswered} are possible`);
  const order = (ids: readonly string[]) => ids.filter((id) => known.has(id)).join();
  const left = messages.filter(({ eventId }) => eventId === null || !absent.has(eventId));
  const expected = expectedAlerts(left);
  check(
    order(applied) === order(expected.flatMap(({ eventIds }) => eventIds)),
    'the events were applied in another order',
  );
  if (extra > 0) return { doubled, faults };
  check(alerts.length === expected.length, `${alerts.length} alerts, ${expected.length} are expected`);
  for (const [index, { eventIds, status, occurrences }] of expected.entries()) {
    const found = alerts[index];
    if (!found) continue;
    check(found.eventIds.join() === eventIds.join(), `alert ${index + 1} has other events`);
    check(found.alert.status === status, `alert ${index + 1} is ${found.alert.status}, its last event is ${status}`);
    check(
      found.alert.occurrenceCount === occurrences,
      `occurrenceCount ${found.alert.occurrenceCount}, ${occurrences}`,
    );
    doubled += Math.max(0, found.alert.occurrenceCount - occurrences);
  }
  return { doubled, faults };
}

async function judgeWrites(run: FaultRun, { writes }: Load): Promise<{ doubled: number; problems: string[] }> {
  const rows = await query<{ title: string; n: number }>(
    run,
    'SELECT title, count(*)::int AS n FROM alerts.incidents WHERE title = ANY ($1) GROUP BY 1',
    [writes.map(({ title }) => title)],
  );
  const counts = new Map(rows.map(({ title, n }) => [title, n]));
  const lost = writes.filter(({ title, answered }) => answered && !counts.has(title));
  const doubled = writes.filter(({ title, attempts }) => (counts.get(title) ?? 0) > attempts);
  return {
    doubled: doubled.reduce((sum, { title, attempts }) => sum + (counts.get(title) ?? 0) - attempts, 0),
    problems: [
      ...lost.map(({ title }) => `the incident "${title}" was answered 201 and does not exist`),
      ...doubled.map(({ title }) => `there are ${counts.get(title)} incidents "${title}"`),
    ],
  };
}

async function judgeAudit(run: FaultRun, { answeredRequests }: Load): Promise<{ wrong: number; problems: string[] }> {
  const rows = await query<{ request_id: string; n: number }>(
    run,
    `SELECT request_id, count(*)::int AS n FROM auth.audit_log
     WHERE type = 'api_key.used' AND request_id = ANY ($1) GROUP BY 1`,
    [[...answeredRequests.keys()]],
  );
  const entries = new Map(rows.map(({ request_id, n }) => [request_id, n]));
  const wrong = [...answeredRequests].filter(([id, sent]) => {
    const n = entries.get(id) ?? 0;
    return n < 1 || n > sent;
  }).length;
  return {
    wrong,
    problems:
      wrong === 0 ? [] : [`${wrong} of ${answeredRequests.size} answered requests do not have one api_key.used`],
  };
}

async function judgePages(
  run: FaultRun,
  due: readonly DuePage[],
  pages: readonly Page[],
): Promise<{
  figures: Pick<Figures, 'pagesDue' | 'pagesSent' | 'pagesSkipped' | 'pagesLost' | 'pagesDoubled' | 'pagesRepeated'>;
  problems: string[];
}> {
  const { missing: lost, skipped } = await missingPages(run, due, pages);
  const isDestroyed = ({ alertId }: DuePage): boolean => run.destroyed.alertIds.has(alertId);
  const wanted = new Set(due.map(({ alertId, kind }) => pageKey(alertId, kind)));
  const idsOf = new Map<string, string[]>();
  for (const { id, alertId, kind } of pages) {
    const key = pageKey(alertId, kind);
    if (wanted.has(key)) idsOf.set(key, [...(idsOf.get(key) ?? []), id]);
  }
  const received = [...idsOf.values()];
  const extraIds = received.map((ids) => new Set(ids).size - 1);
  const doubled = [...idsOf].filter(([, ids]) => new Set(ids).size > 1);
  return {
    figures: {
      pagesDue: due.length,
      pagesSent: idsOf.size,
      pagesSkipped: skipped,
      pagesLost: lost.length,
      pagesDoubled: extraIds.reduce((sum, n) => sum + n, 0),
      pagesRepeated: received.reduce((sum, ids) => sum + ids.length - new Set(ids).size, 0),
    },
    problems: [
      ...(await explained(
        run,
        lost.filter((page) => !isDestroyed(page)),
      )),
      ...doubled.map(([key, ids]) => `the page "${key}" was sent by ${new Set(ids).size} notifications`),
    ],
  };
}
