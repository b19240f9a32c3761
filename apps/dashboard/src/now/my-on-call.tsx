import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { useSession } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { ExactTime } from '../ui/exact-time.js';
import { shiftsOf } from './my-shifts.js';
import styles from './now.module.css';

/** Whether I am on call, until when, or when I am next. */
export function MyOnCall() {
  const { member } = useSession();
  const current = useQuery(all('getCurrentOnCall'));
  const shifts = shiftsOf(current.data ?? [], member.id);
  return (
    <section className={styles.box} aria-labelledby="my-on-call">
      <h2 id="my-on-call" className={styles.section}>
        {texts.now.myOnCall}
      </h2>
      {current.isPending && <Skeleton height={20} />}
      {current.isError && <ErrorState error={current.error} retry={() => void current.refetch()} />}
      {current.isSuccess && shifts.length === 0 && <p className={styles.dimmed}>{texts.now.notOnCall}</p>}
      {shifts.map(({ kind, scheduleId, scheduleName, at }) => (
        <p key={scheduleId}>
          <bdi>{kind === 'now' ? texts.now.onCallNow(scheduleName) : texts.now.onCallNext(scheduleName)}</bdi>{' '}
          {at !== null && (
            <span className={styles.dimmed}>
              {kind === 'now' ? texts.now.until : texts.now.from} <ExactTime at={at} />
            </span>
          )}
        </p>
      ))}
    </section>
  );
}
