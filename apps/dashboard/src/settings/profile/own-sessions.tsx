import { Badge, Button, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { all } from '../../api/queries.js';
import { useAct } from '../../api/use-act.js';
import { texts } from '../../texts/texts.js';
import { ErrorState } from '../../ui/error-state.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { browserName } from './browser-name.js';
import { Section } from './section.js';
import styles from './profile.module.css';

/** Where the person is signed in, and the buttons that end it. */
export function OwnSessions() {
  const sessions = useQuery(all('listSessions'));
  const end = useAct('endSession', {
    changes: ['listSessions'],
    onSuccess: () => notifyDone(texts.profile.sessionEnded),
    onError: (error) => notifyFailed(texts.profile.endFailed, error),
  });
  const endOthers = useAct('endOtherSessions', {
    changes: ['listSessions'],
    onSuccess: () => notifyDone(texts.profile.othersEnded),
    onError: (error) => notifyFailed(texts.profile.endFailed, error),
  });
  return (
    <Section title={texts.profile.sessions}>
      {sessions.isPending && <RowsSkeleton rows={2} />}
      {sessions.isError && <ErrorState error={sessions.error} retry={() => void sessions.refetch()} />}
      <ul className={styles.rows}>
        {sessions.data?.map(({ id, isCurrent, ip, userAgent, lastSeenAt, organization }) => (
          <li key={id} className={styles.row}>
            <span className={styles.main} title={userAgent ?? undefined}>
              {browserName(userAgent) ?? texts.profile.unknownBrowser}
              <span className={styles.dimmed}>
                {' '}
                {ip} · <bdi>{organization.name}</bdi> · {texts.profile.lastSeen} <RelativeTime at={lastSeenAt} />
              </span>
            </span>
            {isCurrent ? (
              <Badge variant="light">{texts.profile.thisSession}</Badge>
            ) : (
              <Button variant="default" onClick={() => end.mutate({ path: { id } })}>
                {texts.profile.endSession}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {(sessions.data?.length ?? 0) > 1 && (
        <Group>
          <Button variant="default" loading={endOthers.isPending} onClick={() => endOthers.mutate({})}>
            {texts.profile.endOthers}
          </Button>
        </Group>
      )}
    </Section>
  );
}
