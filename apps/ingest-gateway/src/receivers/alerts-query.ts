/**
 * The parameters of a list in Opsgenie's API, as far as this service has them: `query` with status, acknowledged and
 * alias, `sort`, `order`, `offset` and `limit`. Source: https://docs.opsgenie.com/docs/alert-api#list-alerts.
 */
import { Fault, senderAlertSorts, type FieldFault, type SenderAlertsQuery, type SenderAlertSort } from '@ams/contracts';

/** The conditions of a query, with the alias as the sender knows it. */
export type AlertsQuery = Omit<SenderAlertsQuery, 'fingerprint'> & { alias?: string };

const listLimits = { limit: 100, default: 20, reach: 1_000 };

const term = /^\s*(?:AND\s+)?(\w+)\s*[:=]\s*("[^"]*"|[^\s"]+)/i;

/** Throws VALIDATION_ERROR with all faults. */
export function alertsQueryOf(parameters: URLSearchParams): AlertsQuery {
  const faults: FieldFault[] = [];
  const refuse = (path: string, message: string): void => void faults.push({ path, rule: 'enum', message });
  const number = (name: string, byDefault: number): number => {
    const text = parameters.get(name);
    if (text === null) return byDefault;
    if (!/^\d{1,6}$/.test(text)) refuse(name, `${name} must be a number`);
    return Number(text);
  };
  const limit = number('limit', listLimits.default);
  const offset = number('offset', 0);
  if (limit < 1 || limit > listLimits.limit) refuse('limit', `limit must be 1 to ${listLimits.limit}`);
  if (offset + limit > listLimits.reach)
    refuse('offset', `offset and limit together must be at most ${listLimits.reach}`);
  const sort = (parameters.get('sort') ?? 'createdAt') as SenderAlertSort;
  if (!senderAlertSorts.includes(sort)) refuse('sort', `sort must be one of ${senderAlertSorts.join(', ')}`);
  const order = parameters.get('order') ?? 'desc';
  if (order !== 'asc' && order !== 'desc') refuse('order', 'order must be asc or desc');
  if (parameters.has('searchIdentifier')) refuse('searchIdentifier', 'saved searches are not supported');
  const query: AlertsQuery = { sort, descending: order === 'desc', offset, limit };
  addTerms(query, parameters.get('query') ?? '', refuse);
  if (faults.length > 0) throw new Fault('VALIDATION_ERROR', { fields: faults });
  return query;
}

function addTerms(query: AlertsQuery, text: string, refuse: (path: string, message: string) => void): void {
  let rest = text;
  while (rest.trim() !== '') {
    const [found, field = '', quoted = ''] = term.exec(rest) ?? [];
    const value = quoted.replace(/^"|"$/g, '');
    if (found === undefined || !addTerm(query, field.toLowerCase(), value)) {
      const known = 'status: open or closed, acknowledged: true or false, and alias: <text>, joined by AND';
      return refuse('query', `the query can have ${known}`);
    }
    rest = rest.slice(found.length);
  }
}

function addTerm(query: AlertsQuery, field: string, value: string): boolean {
  const word = value.toLowerCase();
  if (field === 'status' && (word === 'open' || word === 'closed')) query.open = word === 'open';
  else if (field === 'acknowledged' && (word === 'true' || word === 'false')) query.acknowledged = word === 'true';
  else if (field === 'alias' && value !== '') query.alias = value;
  else return false;
  return true;
}
