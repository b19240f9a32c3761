import { Button, MultiSelect } from '@mantine/core';
import { useState } from 'react';
import type { Item } from '../../api/operation-types.js';
import { useCan } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ExactTime } from '../../ui/exact-time.js';
import { RecordList } from '../../ui/record-list.js';
import { RecordChoices } from '../../ui/record-choice.js';
import { ToneMark, type Tone } from '../../ui/tone-mark.js';
import { SectionBar } from '../section-bar.js';
import { notificationsRoute } from '../settings.routes.js';
import { NotificationDrawer } from './notification-drawer.js';
import { TestMessage } from './test-message.js';
import phone from '../../ui/phone-row.module.css';
import styles from '../settings.module.css';

export type Notification = Item<'listNotifications'>;

const statusNames = ['queued', 'sent', 'failed', 'captured', 'skipped'] as const;
const tones: Record<Notification['status'], Tone> = {
  queued: 'waiting',
  sent: 'good',
  failed: 'bad',
  captured: 'neutral',
  skipped: 'waiting',
};

export const NotificationStatus = ({ status }: { status: Notification['status'] }) => (
  <ToneMark tone={tones[status]}>{texts.notifications.statuses[status]}</ToneMark>
);

/** Why somebody is told; of a message that was not sent, why not. */
const resultOf = ({ status, reason, why }: Notification): string | null =>
  status === 'failed' || status === 'skipped' ? (reason ?? why) : why;

export const channelText = (channel: string): string => texts.notifications.channels[channel] ?? channel;

export function NotificationsPage() {
  const { notification, env: _environment, ...filters } = notificationsRoute.useSearch();
  const { status = [], channel = [], userId = [] } = filters;
  const navigate = notificationsRoute.useNavigate();
  const can = useCan();
  const [isTesting, setTesting] = useState(false);
  const said = texts.notifications;
  const change = (next: Partial<typeof filters> & { notification?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) });
  const some = (values: string[]): string[] | undefined => (values.length === 0 ? undefined : values);
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <SectionBar
        title={said.title}
        actions={can('sendTestNotification') && <Button onClick={() => setTesting(true)}>{said.test.button}</Button>}
      >
        <MultiSelect
          size="xs"
          aria-label={said.status}
          placeholder={status.length === 0 ? said.anyStatus : undefined}
          value={status}
          onChange={(next) => change({ status: some(next) })}
          data={statusNames.map((value) => ({ value, label: said.statuses[value] }))}
        />
        <MultiSelect
          size="xs"
          aria-label={said.channel}
          placeholder={channel.length === 0 ? said.anyChannel : undefined}
          value={channel}
          onChange={(next) => change({ channel: some(next) })}
          data={Object.entries(said.channels).map(([value, label]) => ({ value, label }))}
        />
        <RecordChoices
          noun="member"
          size="xs"
          aria-label={said.member}
          placeholder={userId.length === 0 ? said.anyMember : undefined}
          value={userId}
          onChange={(next) => change({ userId: some(next) })}
        />
      </SectionBar>
      <div className={styles.list}>
        <RecordList
          operation="listNotifications"
          label={said.title}
          query={{
            status: filters.status as Notification['status'][],
            channel: filters.channel as Notification['channel'][],
            userId: filters.userId,
          }}
          onOpen={(id) => change({ notification: id })}
          empty={
            isFiltered ? (
              <EmptyState title={said.emptyFiltered} />
            ) : (
              <EmptyState title={said.empty} hint={said.emptyHint} />
            )
          }
          phoneRow={(row) => (
            <>
              <bdi className={styles.cut}>{row.target}</bdi>
              <div className={phone.facts}>
                <NotificationStatus status={row.status} />
                {channelText(row.channel)}
                <ExactTime at={row.createdAt} />
              </div>
              <bdi className={`${styles.cut} ${styles.dimmed}`}>{resultOf(row)}</bdi>
            </>
          )}
          columns={[
            { id: 'time', title: said.time, width: '8rem', cell: ({ createdAt }) => <ExactTime at={createdAt} /> },
            {
              id: 'status',
              title: said.status,
              width: '7.5rem',
              cell: (row) => <NotificationStatus status={row.status} />,
            },
            { id: 'channel', title: said.channel, width: '7rem', cell: (row) => channelText(row.channel) },
            { id: 'target', title: said.target, width: 'minmax(0, 1fr)', cell: ({ target }) => <bdi>{target}</bdi> },
            {
              id: 'why',
              title: said.why,
              width: 'minmax(0, 1.4fr)',
              cell: (row) => <bdi className={styles.dimmed}>{resultOf(row)}</bdi>,
            },
          ]}
        />
      </div>
      <NotificationDrawer id={notification} onClose={() => change({ notification: undefined })} />
      <TestMessage isOpen={isTesting} onClose={() => setTesting(false)} />
    </>
  );
}
