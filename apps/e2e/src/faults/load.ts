/**
 * The load during a fault: senders of two organizations that fire, repeat and resolve alerts, and callers of the API.
 *
 * A sender repeats a message until it is accepted, with the same content, as real ones do. Half of the senders add an
 * Idempotency-Key: each of their messages is one event, however often it was sent. Without the key, an attempt whose
 * answer the sender did not see may have been accepted.
 */
import { uuidOf } from '@ams/contracts';
import { highestLimit } from '@ams/domain';
import { setTimeout as pause } from 'node:timers/promises';
import type { Organization, Sender, System } from '../system.js';
import { balancer, type Answer } from '../system/balancer.js';
import type { PageKind, PageReceiver } from './pages.js';
import { randomOf } from './random.js';

export interface Message {
  status: 'firing' | 'resolved';
  /** How often it was sent. */
  attempts: number;
  /** The id of its event, when it was accepted. */
  eventId: string | null;
}

/** One fingerprint: its messages are sent one after another. */
export interface Story {
  fingerprint: string;
  hasKey: boolean;
  label: 'mail' | 'webhook';
  organization: Organization;
  integrationId: string;
  messages: Message[];
}

/** A request of the API that writes one incident with this title. */
export interface ApiWrite {
  organization: Organization;
  title: string;
  /** How often it was sent: again when a connection was closed. */
  attempts: number;
  answered: boolean;
}

export interface Load {
  stories: Story[];
  writes: ApiWrite[];
  /** Ids of the requests with an API key that were answered, and how often each was sent. */
  answeredRequests: Map<string, number>;
  /** How often each status was answered: `ingest 503`. `ingest none` when there was no answer. */
  answers: Map<string, number>;
  /** The longest time in ms until an answer that was not a success. */
  slowestRefusal: number;
  /** Whether every sender and every caller had a success after this time of `performance.now()`. */
  allSucceededSince(time: number): boolean;
  /** Stops after the current messages, or after `patienceMs`, even if some are not accepted. */
  stop(patienceMs: number): Promise<void>;
}

export interface Tenants {
  organizations: { organization: Organization; senders: { sender: Sender; hasKey: boolean }[] }[];
}

export const secondPageSeconds = 2;

/** Workflows that page for every alert that opens and every alert that resolves. `organization` is its number. */
function workflowsFor(receiver: PageReceiver, organization: number) {
  const webhook = (id: string, kind: PageKind): object => ({
    id,
    type: 'webhook',
    params: { url: receiver.urlOf(kind), timeoutSeconds: 10 },
  });
  const mail = {
    id: 'page',
    type: 'notify',
    params: { targets: [{ type: 'email', address: receiver.addressOf(organization) }] },
  };
  // An alert that has resolved meanwhile opens no incident, but its page is due.
  const incident = {
    id: 'incident',
    type: 'openIncident',
    params: { groupBy: ['fingerprint'], autoResolve: true },
    continueOnError: true,
  };
  const second = { ...webhook('second', 'second'), delaySeconds: secondPageSeconds };
  return [
    { events: ['alert.created'], label: 'mail', steps: [mail] },
    { events: ['alert.created'], label: 'webhook', steps: [incident, webhook('first', 'first'), second] },
    { events: ['alert.resolved'], label: null, steps: [webhook('resolved', 'resolved')] },
  ];
}

export async function createTenants(system: System, receiver: PageReceiver): Promise<Tenants> {
  const organizations = [];
  for (let n = 0; n < 2; n++) {
    const organization = await system.organization();
    // A run sends more mails to people who are no members than an organization may in a day.
    await system.sql('UPDATE auth.organizations SET limits = $2 WHERE id = $1', [
      uuidOf('organization', organization.id),
      JSON.stringify({ outsideMailsPerDay: highestLimit }),
    ]);
    await system.sql(
      `UPDATE auth.mail_recipients SET value = $2, key = $2 WHERE organization_id = $1 AND key = 'example.com'`,
      [uuidOf('organization', organization.id), receiver.addressOf(n).split('@')[1]],
    );
    for (const { events, label, steps } of workflowsFor(receiver, n)) {
      const answer = await organization.api.post('/api/v1/workflows', {
        name: `${events.join()} ${label ?? ''}`,
        trigger: { events },
        conditions:
          label === null
            ? { field: 'labels.page', op: 'exists', value: true }
            : { field: 'labels.page', op: 'eq', value: label },
        steps,
      });
      if (answer.status !== 201) throw new Error(`no workflow: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    organizations.push({
      organization,
      senders: [
        { sender: await organization.integration({ name: 'with keys' }), hasKey: true },
        { sender: await organization.integration({ name: 'without keys' }), hasKey: false },
      ],
    });
  }
  return { organizations };
}

/** The severities are too low for the default workflow of every organization. */
const severities = ['medium', 'low', 'info'];
const sendersOfIntegration = 3;
const repeatAfterMs = 500;
/** A real sender stops waiting for an answer after this time, and sends the message again. */
const senderTimeoutMs = 10_000;

/** `name`: a prefix of all fingerprints. `perSecond`: messages of all senders together. */
export function startLoad(
  system: System,
  { organizations }: Tenants,
  { name, seed, perSecond }: { name: string; seed: number; perSecond: number },
): Load {
  const ingest = balancer(system.replicas('ingest-gateway'));
  const gateways = balancer(system.replicas('api-gateway'));
  const stories: Story[] = [];
  const writes: ApiWrite[] = [];
  const answeredRequests = new Map<string, number>();
  const answers = new Map<string, number>();
  const lastSuccess: number[] = [];
  let slowestRefusal = 0;
  let over = false;
  let givesUpAt = Number.POSITIVE_INFINITY;

  const attempt = async (api: 'ingest' | 'api', send: () => Promise<Answer>): Promise<Answer | null> => {
    const began = performance.now();
    let answer: Answer | null = null;
    try {
      answer = await send();
    } catch {
      // no connection, or it was closed before the answer
    }
    const kind = `${api} ${answer?.status ?? 'none'}`;
    answers.set(kind, (answers.get(kind) ?? 0) + 1);
    if (answer && answer.status >= 300) slowestRefusal = Math.max(slowestRefusal, performance.now() - began);
    return answer;
  };

  const sendMessage = async (story: Story, path: string, message: Message, body: object): Promise<boolean> => {
    const headers: Record<string, string> = story.hasKey
      ? { 'idempotency-key': `${story.fingerprint} ${story.messages.length}` }
      : {};
    while (performance.now() < givesUpAt) {
      message.attempts++;
      const answer = await attempt('ingest', async () => {
        const got = await ingest.send('POST', path, { body, headers, timeoutMs: senderTimeoutMs });
        message.attempts += got.sent - 1;
        return got;
      });
      if (answer && answer.status < 300) {
        const { data } = JSON.parse(answer.body) as { data: { events: { id: string }[] } };
        message.eventId = data.events[0]?.id ?? null;
        return true;
      }
      if (answer && answer.status < 500 && answer.status !== 429)
        throw new Error(`a valid event was refused: ${answer.status} ${answer.body}`);
      await pause(repeatAfterMs);
    }
    return false;
  };

  const sendStories = async (index: number, organization: Organization, sender: Sender, hasKey: boolean) => {
    const path = new URL(sender.ingestUrl).pathname;
    const everyMs = (1000 * organizations.length * 2 * sendersOfIntegration) / perSecond;
    for (let number = 0; !over; number++) {
      const random = randomOf(seed, name, index, number);
      const label = random.oneOf(['mail', 'webhook'] as const);
      const fingerprint = `${name}-${index}-${number}`;
      const story: Story = { fingerprint, hasKey, label, organization, integrationId: sender.id, messages: [] };
      stories.push(story);
      for (const status of statusesOf(random)) {
        if (over) break;
        const message: Message = { status, attempts: 0, eventId: null };
        story.messages.push(message);
        const body = {
          title: `${fingerprint} #${story.messages.length}`,
          severity: random.oneOf(severities),
          status,
          fingerprint,
          labels: { page: label },
        };
        if (await sendMessage(story, path, message, body)) lastSuccess[index] = performance.now();
        await pause(everyMs * (0.5 + random.next()));
      }
    }
  };

  const callApi = async (index: number, organization: Organization): Promise<void> => {
    for (let n = 0; !over; n++) {
      const requestId = crypto.randomUUID();
      const headers = { authorization: `Bearer ${organization.key}`, 'x-request-id': requestId };
      const isWrite = n % 4 === 0;
      const title = `${name} incident ${index}-${n}`;
      const write: ApiWrite = { organization, title, attempts: 1, answered: false };
      if (isWrite) writes.push(write);
      const answer = await attempt('api', () =>
        isWrite
          ? gateways.send('POST', '/api/v1/incidents', { headers, body: { title, severity: 'low' }, timeoutMs: 20_000 })
          : gateways.send('GET', '/api/v1/alerts?limit=1', { headers, timeoutMs: 20_000 }),
      );
      if (answer && answer.status < 300) {
        write.answered = true;
        write.attempts = answer.sent;
        answeredRequests.set(requestId, answer.sent);
        lastSuccess[index] = performance.now();
      } else if (answer && answer.status < 500) {
        throw new Error(`a valid request was refused: ${answer.status} ${answer.body}`);
      }
      await pause(250);
    }
  };

  const tasks: Promise<void>[] = [];
  for (const { organization, senders } of organizations) {
    for (const { sender, hasKey } of senders)
      for (let n = 0; n < sendersOfIntegration; n++)
        tasks.push(sendStories(lastSuccess.push(0) - 1, organization, sender, hasKey));
    tasks.push(callApi(lastSuccess.push(0) - 1, organization));
  }
  const running = Promise.all(tasks);
  running.catch(() => undefined); // stop() throws it

  return {
    stories,
    writes,
    answeredRequests,
    answers,
    get slowestRefusal() {
      return slowestRefusal;
    },
    allSucceededSince: (time) => lastSuccess.every((last) => last > time),
    async stop(patienceMs) {
      over = true;
      givesUpAt = performance.now() + patienceMs;
      try {
        await running;
      } finally {
        ingest.close();
        gateways.close();
      }
    },
  };
}

/** One, or sometimes two, times: fires, repeats, mostly resolves. */
function statusesOf(random: ReturnType<typeof randomOf>): Message['status'][] {
  const statuses: Message['status'][] = [];
  const episodes = random.next() < 0.3 ? 2 : 1;
  for (let episode = 1; episode <= episodes; episode++) {
    for (let firings = random.between(1, 3); firings > 0; firings--) statuses.push('firing');
    if (episode < episodes || random.next() < 0.7) statuses.push('resolved');
  }
  return statuses;
}
