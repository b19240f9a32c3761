/** Which open alerts a window with these settings would hide now. It follows the form. */
import { Skeleton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { call } from '../api/call.js';
import { keyOf } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { RelativeTime } from '../ui/relative-time.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { isUnlimited, scopeOf, type WindowValues } from './window.js';
import ruleStyles from '../ui/rule.module.css';
import styles from './suppression.module.css';

const { preview: words } = texts.suppression;
const pauseMs = 350;

export function HidesNow({ values }: { values: WindowValues }) {
  const can = useCan();
  const [body] = useDebouncedValue(JSON.stringify(scopeOf(values)), pauseMs);
  const isSaid = !isUnlimited(values) || values.matchAll;
  const found = useQuery({
    queryKey: keyOf('previewSuppressionWindow', { body }),
    queryFn: async ({ signal }) =>
      (await call('previewSuppressionWindow', { body: JSON.parse(body) as ReturnType<typeof scopeOf> }, { signal }))
        .data,
    enabled: isSaid && can('previewSuppressionWindow'),
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: 10_000,
  });
  if (!can('previewSuppressionWindow')) return null;
  return (
    <aside className={styles.preview} aria-labelledby="hides-now" aria-live="polite" aria-busy={found.isFetching}>
      <h2 id="hides-now">{words.title}</h2>
      {!isSaid ? (
        <p className={ruleStyles.hint}>{words.waiting}</p>
      ) : found.isPending ? (
        <Skeleton height={80} />
      ) : found.isError ? (
        <p className={ruleStyles.hint}>{found.error.message === '' ? errorText(found.error) : found.error.message}</p>
      ) : (
        <Hidden {...found.data} />
      )}
    </aside>
  );
}

type Alert = Awaited<ReturnType<typeof call<'previewSuppressionWindow'>>>['data']['alerts'][number];

function Hidden({ total, alerts }: { total: number; alerts: Alert[] }) {
  if (total === 0) {
    return (
      <>
        <p className={styles.total}>{words.none}</p>
        <p className={ruleStyles.hint}>{words.noneHint}</p>
      </>
    );
  }
  return (
    <>
      <p className={styles.total}>{words.total(total)}</p>
      <ul className={styles.hidden}>
        {alerts.map(({ id, title, severity, lastOccurredAt }) => (
          <li key={id}>
            <SeverityMark severity={severity} compact />
            <bdi className={styles.cut} title={title}>
              {title}
            </bdi>
            <span className={ruleStyles.hint}>
              <RelativeTime at={lastOccurredAt} />
            </span>
          </li>
        ))}
      </ul>
      {total > alerts.length && <p className={ruleStyles.hint}>{words.others(total - alerts.length)}</p>}
    </>
  );
}
