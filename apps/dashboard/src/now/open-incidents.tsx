import { Button } from '@mantine/core';
import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Item } from '../api/operation-types.js';
import { all, cannotShow, invalidate, list, rowsOf, totalOf } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan, useSession } from '../app/session.js';
import { clearNews, useNews } from '../live/news.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { useMemberNames } from '../ui/member-name.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { useNow } from '../ui/now.js';
import { RelativeTime } from '../ui/relative-time.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { StatusMark } from '../ui/status-mark.js';
import { relativeTime } from '../ui/time.js';
import { openIncidents } from './now.routes.js';
import { byNeed, holdersOf, nextOf, waitsFor, type Next } from './open-incident.js';
import styles from './now.module.css';

type Incident = Item<'listIncidents'>;

const shown = 20;

/** What is broken, most urgent first, each with the button that takes it. */
export function OpenIncidents() {
  const { member } = useSession();
  const queries = useQueryClient();
  const options = list('listIncidents', openIncidents);
  const open = useInfiniteQuery(options);
  const news = useNews(options.queryKey);
  if (open.isPending) return <RowsSkeleton />;
  if (cannotShow(open)) return <ErrorState error={open.error} retry={() => void open.refetch()} />;
  const incidents = rowsOf(open.data)
    .filter(({ status }) => status !== 'resolved')
    .sort(byNeed);
  const waiting = incidents.filter((incident) => waitsFor(incident, member.id)).length;
  const showNews = (): void => {
    clearNews(options.queryKey);
    void queries.invalidateQueries({ queryKey: options.queryKey });
  };
  const total = totalOf(open.data) ?? incidents.length;
  return (
    <section aria-labelledby="open-incidents">
      <h2 id="open-incidents" className={styles.section}>
        {texts.now.open}
      </h2>
      {news > 0 && (
        <Button fullWidth mb="sm" onClick={showNews}>
          {texts.ui.list.news(news)}
        </Button>
      )}
      {waiting > 0 && <p className={styles.waits}>{texts.now.waitsForMe(waiting)}</p>}
      {incidents.length === 0 && news === 0 && <EmptyState title={texts.now.calm} hint={texts.now.calmHint} />}
      <ul className={styles.list}>
        {incidents.slice(0, shown).map((incident) => (
          <OpenIncident key={incident.id} incident={incident} />
        ))}
      </ul>
      {total > shown && (
        <Button component={Link} to="/incidents" variant="subtle" mt="sm">
          {texts.now.more(total)}
        </Button>
      )}
    </section>
  );
}

function OpenIncident({ incident }: { incident: Incident }) {
  const { number, title, severity, status, triggeredAt } = incident;
  const now = useNow();
  const next = nextOf(incident, now);
  const levels = useLevelCount(incident);
  return (
    <li className={styles.incident} data-status={status}>
      <div className={styles.head}>
        <SeverityMark severity={severity} />
        <Link to={`/incidents/${number}` as '/incidents'} className={styles.title}>
          #{number} <bdi>{title}</bdi>
        </Link>
        <StatusMark status={status} />
      </div>
      <div className={styles.facts}>
        <RelativeTime at={triggeredAt} />
        <Holders incident={incident} />
        {next.kind !== 'nothing' && (
          <span data-alarm={next.kind === 'exhausted' || undefined}>{nextText(next, now, levels)}</span>
        )}
      </div>
      {status === 'triggered' && <Acknowledge incident={incident} />}
    </li>
  );
}

/** How many levels the policy of the incident has; null while that is not known. */
function useLevelCount({ policyId }: Incident): number | null {
  const can = useCan();
  const policies = useQuery({ ...all('listEscalationPolicies'), enabled: can('listEscalationPolicies') });
  return policies.data?.find(({ id }) => id === policyId)?.levels.length ?? null;
}

function nextText(next: Exclude<Next, { kind: 'nothing' }>, now: number, levels: number | null): string {
  switch (next.kind) {
    case 'level':
      // After the last level the first one is told again.
      return texts.now.level(levels !== null && next.level > levels ? 1 : next.level, relativeTime(next.at, now));
    case 'snoozed':
      return texts.now.snoozed(relativeTime(next.until, now));
    case 'again':
      return texts.now.again(relativeTime(next.at, now));
    case 'exhausted':
      return texts.now.exhausted;
  }
}

function Holders({ incident }: { incident: Incident }) {
  const nameOf = useMemberNames();
  const holders = holdersOf(incident);
  if (holders.kind === 'nobody') return <span data-alarm>{texts.now.nobody}</span>;
  const names = holders.kind === 'members' ? holders.ids.map(nameOf) : [holders.name];
  const isOneOther = names.length === 1 && names[0] !== texts.ui.you;
  const text = names.join(', ');
  return <bdi>{isOneOther ? texts.now.hasIt(text) : texts.now.haveIt(text)}</bdi>;
}

/** Takes the incident at once, and can be taken back. */
function Acknowledge({ incident: { id, number } }: { incident: Incident }) {
  const can = useCan();
  const queries = useQueryClient();
  const again = (): void => void invalidate(queries, ['listIncidents', 'getIncident', 'listAlerts']);
  const reopen = useAct('updateIncident', {
    onSuccess: again,
    onError: (error) => notifyFailed(texts.now.reopenFailed(number), error),
  });
  const acknowledge = useAct('updateIncident', {
    onSuccess: () => {
      again();
      notifyDone(texts.now.acknowledged(number), () => reopen.mutate({ path: { id }, body: { status: 'triggered' } }));
    },
    onError: (error) => notifyFailed(texts.now.acknowledgeFailed(number), error),
  });
  if (!can('updateIncident')) return null;
  return (
    <Button
      className={styles.act}
      size="sm"
      loading={acknowledge.isPending}
      onClick={() => acknowledge.mutate({ path: { id }, body: { status: 'acknowledged' } })}
    >
      {texts.now.acknowledge}
    </Button>
  );
}
