/**
 * Calls that must not compile. If one compiles, its @ts-expect-error is unused and tsc (`npm run typecheck`) fails.
 * This file is never run.
 */
import { createAlertClient, pages, type AlertClient, type ListPath, type PageAnswer } from '../src/index.js';

export const wrongCalls: ((client: AlertClient) => unknown)[] = [
  // @ts-expect-error the address of the API is needed
  () => createAlertClient({ apiKey: 'svc_live_0' }),
  // @ts-expect-error no such path
  (client) => client.GET('/alert'),
  // @ts-expect-error a path that takes no DELETE
  (client) => client.DELETE('/alerts/{id}', { params: { path: { id: 'alr_0' } } }),
  // @ts-expect-error the id is missing
  (client) => client.GET('/alerts/{id}'),
  // @ts-expect-error no such filter
  (client) => client.GET('/alerts', { params: { query: { stauts: ['firing'] } } }),
  // @ts-expect-error no such status
  (client) => client.GET('/alerts', { params: { query: { status: ['open'] } } }),
  // @ts-expect-error a list, not a text
  (client) => client.GET('/alerts', { params: { query: { label: 'region:eu' } } }),
  // @ts-expect-error no such field
  (client) => client.POST('/clients', { body: { name: 'Acme', slgu: 'acme' } }),
  // @ts-expect-error an unknown filter beside a known one
  (client) => client.GET('/alerts', { params: { query: { status: ['firing'], stauts: ['firing'] } } }),
  // @ts-expect-error the name is missing
  (client) => client.POST('/clients', { body: { slug: 'acme' } }),
  // @ts-expect-error a body is needed
  (client) => client.POST('/clients'),
  // @ts-expect-error a name cannot be cleared
  (client) => client.PUT('/clients/{id}', { params: { path: { id: 'cli_0' } }, body: { name: null } }),
  (client) =>
    client.POST('/workflows', {
      // @ts-expect-error no such step
      body: { name: 'x', trigger: { events: ['alert.created'] }, steps: [{ id: 'a', type: 'dance' }] },
    }),
  (client) =>
    client.POST('/workflows', {
      // @ts-expect-error a notification needs targets
      body: { name: 'x', trigger: { events: ['alert.created'] }, steps: [{ id: 'a', type: 'notify', params: {} }] },
    }),
  // @ts-expect-error no list
  (client) => pages(client, '/alerts/{id}', { path: { id: 'alr_0' } }),
  // @ts-expect-error the id is missing
  (client) => pages(client, '/incidents/{id}/alerts'),
  // @ts-expect-error no such filter
  (client) => pages(client, '/alerts', { query: { stauts: ['firing'] } }),
  // @ts-expect-error no such field of an alert
  (client) => client.GET('/alerts/{id}', { params: { path: { id: 'alr_0' } } }).then(({ data }) => data?.data.titel),
  (client) =>
    client
      .GET('/alerts/{id}', { params: { path: { id: 'alr_0' } } })
      // @ts-expect-error `acknowledgedBy` may be null
      .then(({ data }) => data?.data.acknowledgedBy.name),
  // @ts-expect-error an answer with an error has no data
  (client) => client.GET('/alerts').then(({ data }) => data.meta),
];

/** Correct calls: the results have the types of the document. */
export const rightCalls: ((client: AlertClient) => Promise<string | null | undefined>)[] = [
  (client) =>
    client
      .GET('/alerts/{id}', { params: { path: { id: 'alr_0' } } })
      .then(({ data, error }) => (error ? error.code : data.data.acknowledgedBy?.id)),
  (client) =>
    client
      .POST('/alerts/{id}/acknowledge', { params: { path: { id: 'alr_0' } } })
      .then(({ data }) => data?.data.status),
  (client) =>
    client
      .PUT('/clients/{id}', {
        params: { path: { id: 'cli_0' }, header: { 'If-Match': '"1"' } },
        body: { externalId: null },
      })
      .then(({ data }) => data?.data.externalId),
];

export const titles = ({ data }: PageAnswer<'/alerts'>): string[] | undefined => data?.data.map(({ title }) => title);
export const lists: ListPath[] = ['/alerts', '/incidents/{id}/alerts', '/schedules/current-oncall', '/users'];
