/** An organization as its members and senders use it: over HTTP, with its own keys and integrations. */
import type { Alert, ApiKeyWithSecret, IntegrationWithToken, TimelineEntry } from '@ams/contracts';
import type { Environment, Scope } from '@ams/scopes';
import type { HttpClient, HttpResponse } from '@ams/testing';

export interface One<T> {
  data: T;
}
export interface List<T> {
  data: T[];
  meta: { limit: number; hasMore: boolean; nextCursor: string | null; total?: number };
}
export interface Refusal {
  error: string;
  code: string;
  details: Record<string, unknown> | null;
}
export interface Accepted {
  events: { id: string; fingerprint: string; warnings: unknown[] }[];
  faults?: unknown[];
  receivedAt: string;
}

export interface Sender extends IntegrationWithToken {
  /** Posts to the given ingest gateway, or to each in turn. */
  send<T = One<Accepted>>(
    body: unknown,
    options?: { headers?: Record<string, string>; replica?: number },
  ): Promise<HttpResponse<T>>;
  /** Sends, expects 202 and waits until the events are applied. Returns their ids. */
  fire(body: unknown, options?: { headers?: Record<string, string> }): Promise<string[]>;
}

export interface Organization {
  id: string;
  /** A live key with all scopes. */
  key: string;
  api: HttpClient;
  newKey(options?: { scopes?: readonly Scope[]; environment?: Environment; name?: string }): Promise<ApiKeyWithSecret>;
  integration(settings?: Record<string, unknown>, key?: string): Promise<Sender>;
  alerts(query?: Record<string, string>, key?: string): Promise<Alert[]>;
  timeline(alertId: string): Promise<TimelineEntry[]>;
}

/** The calls of a system that an organization needs. */
export interface SystemCalls {
  /** A client with this key for the given gateway, or for the next in turn. */
  as(key: string, gateway?: number): HttpClient;
  /** A client for the given ingest gateway, or for the next in turn. */
  ingest(replica?: number): HttpClient;
  /** Waits until the events (public ids) have been applied to alerts. */
  eventuallyApplied(eventIds: readonly string[], timeoutMs?: number): Promise<void>;
}

export function organizationOf(system: SystemCalls, id: string, key: string): Organization {
  const api = system.as(key);
  return {
    id,
    key,
    api,
    async newKey({ scopes = ['alerts:read'], environment = 'live', name = 'a key' } = {}) {
      const { status, body } = await api.post<One<ApiKeyWithSecret>>('/api/v1/api-keys', { name, scopes, environment });
      if (status !== 201) throw new Error(`a key could not be created: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    async integration(settings = {}, by = key) {
      const { status, body } = await system
        .as(by)
        .post<One<IntegrationWithToken>>('/api/v1/integrations', { name: 'a sender', ...settings });
      if (status !== 201) throw new Error(`an integration could not be created: ${status} ${JSON.stringify(body)}`);
      return senderOf(system, body.data);
    },
    async alerts(query = {}, by = key) {
      const { status, body } = await system.as(by).get<List<Alert>>('/api/v1/alerts', { query });
      if (status !== 200) throw new Error(`alerts could not be listed: ${status} ${JSON.stringify(body)}`);
      return body.data;
    },
    async timeline(alertId) {
      return (await api.get<List<TimelineEntry>>(`/api/v1/alerts/${alertId}/timeline`, { query: { limit: 100 } })).body
        .data;
    },
  };
}

function senderOf(system: SystemCalls, made: IntegrationWithToken): Sender {
  const path = new URL(made.ingestUrl).pathname;
  const sender: Sender = {
    ...made,
    send: (body, { headers = {}, replica } = {}) => system.ingest(replica).post(path, body, { headers }),
    async fire(body, options) {
      const answer = await sender.send(body, options);
      if (answer.status !== 202) throw new Error(`not accepted: ${answer.status} ${JSON.stringify(answer.body)}`);
      const ids = answer.body.data.events.map(({ id }) => id);
      await system.eventuallyApplied(ids);
      return ids;
    },
  };
  return sender;
}
