// A page of 50 alerts of one organization by the API, and the SQL query of the same page alone.
import { alertColumns, alertConditions } from '@ams/alerting';
import { load, requireSuccess } from './client.mjs';
import { inProcess } from './references/in-process.mjs';

const clients = 8;

/** What measures a page with the query text `query`, with `seconds` of load. */
export const pageByApi =
  (ours, key, query, { seconds }) =>
  async () =>
    requireSuccess(
      `GET /alerts?${query}`,
      await load({
        method: 'GET',
        port: Number(new URL(ours.baseUrl).port),
        targets: [
          { path: `/api/v1/alerts?limit=50${query && `&${query}`}`, headers: { authorization: `Bearer ${key}` } },
        ],
        connections: clients,
        expected: 200,
        seconds,
        warmup: 1,
      }),
      0.02,
    );

/** The same for the query that reads the first page with the filter `filter`. */
export const pageByQuery =
  (ours, organizationId, filter, { seconds }) =>
  () => {
    const where = alertConditions({ organizationId, environment: 'live' }, filter);
    return inProcess('query.mjs', {
      url: ours.adminUrl,
      text: `SELECT ${alertColumns} FROM alerts.alerts WHERE ${where.toString()}
        ORDER BY last_occurred_at DESC, id DESC LIMIT 51`,
      values: where.params,
      clients,
      seconds,
    });
  };
