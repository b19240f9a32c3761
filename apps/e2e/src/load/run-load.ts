/**
 * A load on an installation, over its public interface alone: events of senders and reads of callers, at planned times.
 * Afterwards the occurrences of the alerts are compared with what was accepted.
 *
 * Events are `firing` with the severity `info`, so that no default workflow pages for them, and with the label `load`,
 * by which the alerts of a run are found and resolved at its end.
 */
import type { Alert, BulkResult, IntegrationWithToken } from '@ams/contracts';
import { httpClient, type HttpClient, type HttpResponse } from '@ams/testing';
import { Agent, request as httpRequest } from 'node:http';
import { request as httpsRequest, Agent as HttpsAgent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import type { List, One } from '../system.js';
import { checkOf, Recorder, type Check, type Interval, type KindFigures, type Sample, type Sent } from './results.js';
import { peakRate, plannedTimes, sendAsPlanned, type Plan } from './schedule.js';

export interface LoadOptions extends Plan {
  /** Of the API gateway. */
  url: string;
  /** Of the ingest gateway; null: the address in `ingestUrl` of the integrations. */
  ingestUrl: string | null;
  /** With the scopes `integrations:write`, `alerts:read` and `alerts:write`. */
  key: string;
  readsPerSecond: number;
  /** Integrations that send; each has a limit of its own. Null: one for each event a second of the highest rate. */
  integrations: number | null;
  /** How long everything accepted may need until it is applied. */
  patienceSeconds: number;
  /** Ends the sending early; what was sent is checked as always. */
  stopped?: AbortSignal;
  log: (line: string) => void;
}

export interface LoadReport extends Plan {
  url: string;
  readsPerSecond: number;
  /** RFC 3339. */
  beganAt: string;
  events: KindFigures;
  reads: KindFigures;
  check: Check;
  /** Sentences; none when all that was accepted is there once. */
  problems: string[];
  intervals: Interval[];
}

/** Requests without an answer, of both kinds. Beyond it a message is not sent, and the report says so. */
const mostOpen = 5000;
const requestTimeoutMs = 30_000;
/** Alerts of a run: more events repeat them. */
const mostFingerprints = 2000;
const mostIntegrations = 200;
const readPageEveryMs = 250;

/** Throws when the installation cannot be prepared; what it answers during the load is in the report. */
export async function runLoad(options: LoadOptions): Promise<LoadReport> {
  const { log, seconds, rate, profile, readsPerSecond, url } = options;
  const api = httpClient(url, { headers: { authorization: `Bearer ${options.key}` } });
  const run = crypto.randomUUID();
  const count = options.integrations ?? Math.min(mostIntegrations, Math.ceil(peakRate(options)));
  const integrations: IntegrationWithToken[] = [];
  try {
    for (let n = 0; n < count; n++) integrations.push(await newIntegration(api, `load ${run.slice(0, 8)} ${n + 1}`));
    log(`${integrations.length} integrations; ${profile} for ${seconds} s`);
    const beganAt = new Date().toISOString();
    const began = performance.now();
    const { recorder, sent } = await send(options, integrations, run);
    const sentFor = Math.min(seconds, Math.ceil((performance.now() - began) / 1000));
    log('the load has ended; waiting until everything accepted is applied');
    const check = await checked(api, run, sent, options.patienceSeconds);
    const events = recorder.figuresOf('event');
    return {
      ...{ url, profile, rate, readsPerSecond, seconds: sentFor, beganAt, events, check },
      reads: recorder.figuresOf('read'),
      problems: problemsOf(check, events),
      intervals: recorder.intervals.filter(({ at }) => at < sentFor),
    };
  } finally {
    await tidied(api, run, integrations).catch((error: unknown) => log(`not tidied up: ${String(error)}`));
  }
}

async function newIntegration(api: HttpClient, name: string): Promise<IntegrationWithToken> {
  const { status, body } = await api.post<One<IntegrationWithToken>>('/api/v1/integrations', { name });
  if (status !== 201) throw new Error(`no integration: ${status} ${JSON.stringify(body)}`);
  return body.data;
}

async function send(
  { url, ingestUrl, key, readsPerSecond, stopped, ...plan }: LoadOptions,
  integrations: readonly IntegrationWithToken[],
  run: string,
): Promise<{ recorder: Recorder; sent: Map<string, Sent> }> {
  const recorder = new Recorder(plan.seconds);
  const sent = new Map<string, Sent>();
  const client = openClient();
  const clock = { now: () => performance.now(), sleep: (ms: number) => pause(ms) };
  const began = clock.now();
  const urls = integrations.map((one) => (ingestUrl === null ? one.ingestUrl : new URL(pathOf(one), ingestUrl).href));
  const reads = new URL('/api/v1/alerts?limit=20', url).href;

  const event = async (plannedAt: number, n: number): Promise<void> => {
    const fingerprint = `${run}-${n % mostFingerprints}`;
    const counts = sent.get(fingerprint) ?? { accepted: 0, sent: 0 };
    sent.set(fingerprint, counts);
    const body = JSON.stringify({ title: `Load ${fingerprint}`, severity: 'info', fingerprint, labels: { load: run } });
    // The same integration for a fingerprint: it deduplicates for itself.
    const target = urls[(n % mostFingerprints) % urls.length] as string;
    const outcome = await client.send('POST', target, {}, body);
    if (outcome !== 'not sent') counts.sent++;
    if (typeof outcome === 'number' && outcome >= 200 && outcome < 300) counts.accepted++;
    recorder.add({ kind: 'event', plannedAt: plannedAt - began, endedAt: clock.now() - began, outcome });
  };
  const read = async (plannedAt: number): Promise<void> => {
    const outcome = await client.send('GET', reads, { authorization: `Bearer ${key}` });
    recorder.add({ kind: 'read', plannedAt: plannedAt - began, endedAt: clock.now() - began, outcome });
  };
  const untilStopped = (times: Iterable<number>): Iterable<number> => takeWhile(times, () => !stopped?.aborted);
  try {
    await Promise.all([
      sendAsPlanned(untilStopped(plannedTimes(plan)), event, clock),
      sendAsPlanned(untilStopped(plannedTimes({ ...plan, profile: 'soak', rate: readsPerSecond })), read, clock),
    ]);
  } finally {
    client.close();
  }
  return { recorder, sent };
}

function* takeWhile(times: Iterable<number>, goesOn: () => boolean): Generator<number, void> {
  for (const time of times) {
    if (!goesOn()) return;
    yield time;
  }
}

const pathOf = ({ ingestUrl }: IntegrationWithToken): string => new URL(ingestUrl).pathname;

/** Connections are kept alive. A request is never repeated. */
function openClient() {
  const http = new Agent({ keepAlive: true });
  const https = new HttpsAgent({ keepAlive: true });
  let open = 0;
  return {
    send: (method: string, url: string, headers: Record<string, string>, body?: string): Promise<Sample['outcome']> => {
      if (open >= mostOpen) return Promise.resolve('not sent');
      open++;
      return new Promise<Sample['outcome']>((resolve) => {
        const failed = ({ code, message }: NodeJS.ErrnoException): void => resolve(code ?? message);
        const isSecure = url.startsWith('https:');
        const request = (isSecure ? httpsRequest : httpRequest)(
          url,
          {
            method,
            agent: isSecure ? https : http,
            headers: body === undefined ? headers : { ...headers, 'content-type': 'application/json' },
          },
          (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode ?? 'closed'));
            response.on('error', failed);
            response.on('close', () => resolve('closed'));
          },
        );
        const timer = setTimeout(() => {
          resolve('timeout');
          request.destroy();
        }, requestTimeoutMs);
        request.on('error', failed);
        request.on('close', () => {
          clearTimeout(timer);
          resolve('closed');
        });
        request.end(body);
      }).finally(() => open--);
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Waits until the occurrences are what was accepted, at most so long, and says what they are then. */
async function checked(
  api: HttpClient,
  run: string,
  sent: ReadonlyMap<string, Sent>,
  patienceSeconds: number,
): Promise<Check> {
  const until = performance.now() + patienceSeconds * 1000;
  for (;;) {
    const check = checkOf(sent, await occurrencesOf(api, run, until));
    if (check.lost === 0 || performance.now() >= until) return check;
    await pause(1000);
  }
}

/** Of all alerts of the run, by fingerprint: one that was resolved meanwhile and fired again is two alerts. */
async function occurrencesOf(api: HttpClient, run: string, until: number): Promise<Map<string, number>> {
  const occurrences = new Map<string, number>();
  let cursor: string | null = null;
  do {
    const query: Record<string, string> = { label: `load:${run}`, limit: '100', sort: 'createdAt' };
    const { status, headers, body }: HttpResponse<List<Alert>> = await api.get('/api/v1/alerts', {
      query: cursor === null ? query : { ...query, cursor },
    });
    if ((status === 429 || status === 503) && performance.now() < until) {
      await pause(1000 * Number(headers.get('retry-after') ?? 1));
      continue;
    }
    if (status !== 200) throw new Error(`alerts cannot be listed: ${status} ${JSON.stringify(body)}`);
    for (const { fingerprint, occurrenceCount } of body.data)
      occurrences.set(fingerprint, (occurrences.get(fingerprint) ?? 0) + occurrenceCount);
    cursor = body.meta.nextCursor;
    // The limit of the organization is for its own programs, too.
    if (cursor !== null) await pause(readPageEveryMs);
  } while (cursor !== null);
  return occurrences;
}

function problemsOf({ accepted, lost, doubled }: Check, { planned, answered }: KindFigures): string[] {
  const problems: string[] = [];
  if (lost > 0) problems.push(`${lost} of ${accepted} accepted events are lost`);
  if (doubled > 0) problems.push(`${doubled} events count twice`);
  if (planned > 0 && answered === 0) problems.push('no event was accepted');
  return problems;
}

/** Resolves the alerts of the run and deletes its integrations. */
async function tidied(api: HttpClient, run: string, integrations: readonly IntegrationWithToken[]): Promise<void> {
  const filter = { label: [`load:${run}`], status: ['firing'] };
  for (let tries = 0; integrations.length > 0 && tries < 10; tries++) {
    const { status, body } = await api.post<One<BulkResult>>('/api/v1/alerts/bulk', { action: 'resolve', filter });
    if (status === 200 && body.data.requested === 0) break;
    await pause(1000);
  }
  for (const { id } of integrations) {
    const { status } = await api.delete(`/api/v1/integrations/${id}`);
    if (status === 429) await pause(5000);
  }
}
