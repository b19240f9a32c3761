import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { list, rowsOf } from '../api/queries.js';
import type { Item } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { ExactTime } from '../ui/exact-time.js';
import { useMemberNames } from '../ui/member-name.js';
import { RelativeTime } from '../ui/relative-time.js';
import { PanelSection } from '../ui/panel-section.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import type { Incident } from './use-update-incident.js';
import styles from './incidents.module.css';

const said = texts.incidents.told;

/** Each message about the incident and what became of it, and the alerts that asked for somebody. */
export function IncidentTold({ incident: { id } }: { incident: Incident }) {
  const messages = useInfiniteQuery(list('listNotifications', { incidentId: [id], limit: 50 }));
  const pages = useInfiniteQuery(list('listPages', { incidentId: [id], limit: 50 }));
  const told = rowsOf(messages.data);
  const asked = rowsOf(pages.data);
  return (
    <PanelSection heading="h2" title={said.title}>
      {messages.isPending && <RowsSkeleton rows={2} />}
      {messages.isError && <ErrorState error={messages.error} retry={() => void messages.refetch()} />}
      {messages.isSuccess && told.length === 0 && <p className={styles.dimmed}>{said.none}</p>}
      <ul className={styles.told} aria-label={said.title}>
        {told.map((message) => (
          <Message key={message.id} message={message} />
        ))}
      </ul>
      {asked.length > 0 && (
        <details className={styles.ledger}>
          <summary>
            {said.ledger} ({asked.length})
          </summary>
          <ul className={styles.told}>
            {asked.map(({ id: pageId, alertId, outcome, reason, askedAt }) => (
              <li key={pageId} className={styles.page}>
                <Link to="/alerts" search={{ alert: alertId, tab: 'why' }} className={styles.link}>
                  {said.alert}
                </Link>
                : {outcome === null ? said.open : (said.outcomes[outcome] ?? reason)}{' '}
                <span className={styles.dimmed}>
                  <ExactTime at={askedAt} />
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </PanelSection>
  );
}

function Message({ message }: { message: Item<'listNotifications'> }) {
  const nameOf = useMemberNames();
  const { userId, channel, target, status, reason, why, createdAt, nextAttemptAt } = message;
  const way = said.to(said.channels[channel] ?? channel, target);
  return (
    <li className={styles.message} data-status={status}>
      <span className={styles.whom}>
        <bdi>{userId === null ? way : nameOf(userId)}</bdi>
        {userId !== null && <bdi className={styles.dimmed}> {way}</bdi>}
      </span>
      <span className={styles.outcome}>{said.status[status]}</span>
      <span className={styles.when}>
        <ExactTime at={createdAt} />
      </span>
      {(reason || why || nextAttemptAt) && (
        <span className={styles.reason}>
          {why} {status !== 'sent' && reason}{' '}
          {status === 'queued' && nextAttemptAt !== null && (
            <>
              {said.nextAttempt} <RelativeTime at={nextAttemptAt} />
            </>
          )}
        </span>
      )}
    </li>
  );
}
