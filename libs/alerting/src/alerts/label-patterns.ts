/**
 * Patterns of labels in a filter. They are RE2, which PostgreSQL does not know: its own patterns have another syntax,
 * and may take very long. So the service reads the different values of the label among the alerts that the rest of the
 * filter leaves, and replaces the pattern by the values that it matches. Everything here is limited: the alerts, the
 * values, and the work of matching. Over a limit the request is refused, because a shorter result would be wrong.
 */
import { invalid, type AlertFilter } from '@ams/contracts';
import type { Database, Where } from '@ams/database';
import { labelFilterLimits, labelTermsOf, matchingValues } from '@ams/domain';
import { alertConditions, type AlertConditions, type AlertReader, type MatchedLabel } from './alert-filter.js';

const { rows: maxRows, values: maxValues } = labelFilterLimits;

/**
 * `from`: the table or view of alerts that the service reads with its own role, never a text of a caller. `path`: of the
 * filter in the request, for the fault.
 */
export async function withMatchedLabels(
  database: Pick<Database, 'query'>,
  from: string,
  reader: AlertReader,
  filter: AlertFilter,
  path = 'label',
): Promise<AlertConditions> {
  const texts = filter.label ?? [];
  const terms = labelTermsOf(texts);
  if (!terms.some(({ kind }) => kind === 'matches')) return filter;
  const label = texts.filter((_text, index) => terms[index]?.kind !== 'matches');
  const others = { ...filter, label };
  const matched: MatchedLabel[] = [];
  for (const term of terms) {
    if (term.kind !== 'matches') continue;
    const { key, pattern, negated } = term;
    const values = await valuesOf(database, from, alertConditions(reader, others), key, path);
    const found = matchingValues(pattern, values);
    if (found.kind === 'tooMuch')
      throw invalid(path, 'pattern', `${path} has a pattern that takes too long on the values of ${key}. Simplify it.`);
    matched.push({ key, values: found.values, negated });
  }
  return { ...others, matched };
}

async function valuesOf(
  database: Pick<Database, 'query'>,
  from: string,
  where: Where,
  key: string,
  path: string,
): Promise<string[]> {
  const [found] = await database.query<{ rows: number; values: string[] }>(
    `WITH read AS MATERIALIZED (
       SELECT labels ->> $${where.params.length + 1} AS value FROM ${from} WHERE ${where.toString()}
       LIMIT ${maxRows + 1})
     SELECT (SELECT count(*)::int FROM read) AS rows,
       ARRAY(SELECT DISTINCT value FROM read WHERE value IS NOT NULL LIMIT ${maxValues + 1}) AS values`,
    [...where.params, key],
  );
  const { rows, values } = found ?? { rows: 0, values: [] };
  if (rows > maxRows)
    throw invalid(
      path,
      'max',
      `${path} has a pattern, which is allowed for at most ${maxRows} alerts. Narrow the other filters, for example ` +
        'by status or since.',
    );
  if (values.length > maxValues)
    throw invalid(path, 'max', `${path} has a pattern, but the alerts have over ${maxValues} values of ${key}.`);
  return values;
}
