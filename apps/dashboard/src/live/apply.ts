/**
 * Brings what is in the cache up to date with events. Rows change in place. What an event does not contain is read again
 * when it is on the screen, at most once in `pauseMs` for each operation.
 */
import { notifyManager, type InfiniteData, type QueryClient, type QueryKey } from '@tanstack/react-query';
import type { Page } from '../api/queries.js';
import { isPartial, mayBelong, patched, type LiveEvent } from './live-event.js';
import { addNews } from './news.js';
import { resources, type Resource } from './resources.js';

type Row = Record<string, unknown> & { id?: string; version?: number };
type Pages = InfiniteData<Page<Row>>;

const pauseMs = 1500;

export function applyEvents(queries: QueryClient, events: readonly LiveEvent[]): void {
  // What shows them is rendered once.
  notifyManager.batch(() => {
    for (const event of events) {
      const resource = resources[event.resource.type];
      if (resource !== undefined) applyEvent(queries, event, resource);
    }
  });
}

function applyEvent(queries: QueryClient, event: LiveEvent, resource: Resource): void {
  const { id } = event.resource;
  for (const list of resource.lists) {
    for (const [queryKey, data] of queries.getQueriesData<Pages>({ queryKey: [list] })) {
      if (data?.pages === undefined) continue;
      const next = patchedPages(data, event);
      if (next.found) {
        if (next.data !== data) queries.setQueryData(queryKey, next.data);
      } else if (event.type.endsWith('.created') && mayBelong(queryOf(queryKey), event.fields)) {
        addNews(queryKey, id);
      }
    }
  }
  if (resource.record !== undefined) {
    const partial = isPartial(event);
    for (const [queryKey] of queries.getQueriesData<Row>({ queryKey: [resource.record], predicate: isAbout(id) })) {
      queries.setQueryData<Row>(queryKey, (record) => record && patched(record, event));
      if (partial) readAgain(queries, queryKey);
    }
  }
  for (const about of resource.about) {
    for (const [queryKey] of queries.getQueriesData({ queryKey: [about], predicate: isAbout(id) })) {
      readAgain(queries, queryKey);
    }
  }
  for (const summary of resource.summaries) readAgain(queries, [summary]);
}

function patchedPages(data: Pages, event: LiveEvent): { found: boolean; data: Pages } {
  let found = false;
  let changed = false;
  const pages = data.pages.map((page) => {
    const at = page.data.findIndex(({ id }) => id === event.resource.id);
    if (at < 0) return page;
    found = true;
    const before = page.data[at] as Row;
    const after = patched(before, event);
    if (after === before) return page;
    changed = true;
    return { ...page, data: page.data.with(at, after) };
  });
  return { found, data: changed ? { ...data, pages } : data };
}

interface KeyInput {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
}

const inputOf = (key: QueryKey): KeyInput => (key[2] ?? {}) as KeyInput;
const queryOf = (key: QueryKey): Record<string, unknown> => inputOf(key).query ?? {};
const isAbout =
  (id: string) =>
  ({ queryKey }: { queryKey: QueryKey }): boolean =>
    inputOf(queryKey).path?.['id'] === id;

const waiting = new Map<string, ReturnType<typeof setTimeout>>();

/** The first event is followed at once; those in the pause after it together at its end. */
function readAgain(queries: QueryClient, queryKey: QueryKey): void {
  const name = JSON.stringify(queryKey);
  if (waiting.has(name)) return void due.add(name);
  void queries.invalidateQueries({ queryKey });
  waiting.set(
    name,
    setTimeout(() => {
      waiting.delete(name);
      if (due.delete(name)) readAgain(queries, queryKey);
    }, pauseMs),
  );
}

const due = new Set<string>();
