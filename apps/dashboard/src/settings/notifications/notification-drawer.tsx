import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Data } from '../../api/operation-types.js';
import { read } from '../../api/queries.js';
import { texts } from '../../texts/texts.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { ErrorState } from '../../ui/error-state.js';
import { ExactTime } from '../../ui/exact-time.js';
import { Facts } from '../../ui/facts.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { channelText, NotificationStatus } from './notifications-page.js';

/** One message: why it was sent to this recipient, and what the receiving server said. */
export function NotificationDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const found = useQuery({ ...read('getNotification', { path: { id: id ?? '' } }), enabled: id !== undefined });
  return (
    <DetailDrawer title={texts.notifications.detail} open={id !== undefined} onClose={onClose}>
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <RowsSkeleton rows={6} />}
      {found.data !== undefined && <NotificationFacts notification={found.data} />}
    </DetailDrawer>
  );
}

export function NotificationFacts({ notification }: { notification: Data<'getNotification'> }) {
  const said = texts.notifications;
  const { status, channel, target, why, reason, attempts, nextAttemptAt, createdAt, alertId, workflowId } =
    notification;
  return (
    <Facts
      facts={[
        [said.status, <NotificationStatus status={status} />],
        [said.target, <bdi>{target}</bdi>],
        [said.channel, channelText(channel)],
        [said.why, <bdi>{why}</bdi>],
        [said.reason, <bdi>{reason ?? texts.ui.none}</bdi>],
        [said.attempts, attempts],
        [said.nextAttempt, nextAttemptAt !== null && <ExactTime at={nextAttemptAt} />],
        [said.time, <ExactTime at={createdAt} />],
        [
          said.alert,
          alertId !== null && (
            <Link to="/alerts" search={{ alert: alertId }}>
              {said.open}
            </Link>
          ),
        ],
        [said.workflow, workflowId !== null && <code>{workflowId}</code>],
      ]}
    />
  );
}
