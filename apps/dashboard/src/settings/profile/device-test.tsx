import { useQuery } from '@tanstack/react-query';
import { read } from '../../api/queries.js';
import { texts } from '../../texts/texts.js';
import { errorText } from '../../ui/error-state.js';
import styles from './profile.module.css';

const readEveryMs = 1000;

/** A test message, followed until it is sent or is not. `id` is that of the notification. */
export function DeviceTest({ id }: { id: string }) {
  const { data, error } = useQuery({
    ...read('getNotification', { path: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'queued' ? readEveryMs : false),
  });
  const { status = 'queued', reason = null } = data ?? {};
  const isLate = status === 'queued' && reason !== null;
  return (
    <p role="status" className={styles.dimmed}>
      {error === null ? (isLate ? texts.devices.notYet : texts.devices.results[status]) : errorText(error)}
      {(isLate || status === 'failed' || status === 'skipped') && <bdi> {reason}</bdi>}
    </p>
  );
}
