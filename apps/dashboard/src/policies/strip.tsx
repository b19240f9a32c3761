/** The levels of a policy one after another, with who would be called now at each. */
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Data } from '../api/operation-types.js';
import { cannotShow, read } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { ExactTime } from '../ui/exact-time.js';
import { duration } from '../ui/time.js';
import styles from './policies.module.css';

type CurrentLevel = Data<'getCurrentRecipients'>['levels'][number];

export interface StripProps {
  policy: Data<'getEscalationPolicy'>;
}

export function Strip({ policy: { id, repeat, ackTimeoutSeconds } }: StripProps) {
  const current = useQuery({ ...read('getCurrentRecipients', { path: { id } }), refetchInterval: 60_000 });
  if (current.isPending) return <Skeleton height={120} />;
  if (cannotShow(current)) return <ErrorState error={current.error} retry={() => void current.refetch()} />;
  const isEmpty = current.data.levels.every((level) => level.isEmpty);
  return (
    <section aria-labelledby="now" className={styles.now}>
      <h2 id="now" className={styles.section}>
        {texts.policies.now}
      </h2>
      {isEmpty && <p className={styles.fault}>{texts.policies.nobodyAtAll}</p>}
      <ol className={styles.strip}>
        {current.data.levels.map((level) => (
          <LevelNow key={level.id} level={level} />
        ))}
        <li className={styles.end}>
          <p>{texts.policies.repeat(repeat)}</p>
          <p className={styles.hint}>{texts.policies.thenCatchAll}</p>
          {ackTimeoutSeconds !== null && (
            <p className={styles.hint}>{texts.policies.ackTimeout(duration(ackTimeoutSeconds))}</p>
          )}
        </li>
      </ol>
    </section>
  );
}

const LevelNow = ({ level: { level, afterSeconds, recipients, isEmpty } }: { level: CurrentLevel }) => (
  <li className={styles.level} data-empty={isEmpty || undefined}>
    <h3 className={styles.levelTitle}>
      {level}
      <span className={styles.after}>
        {afterSeconds === 0 ? texts.policies.atOnce : texts.policies.after(duration(afterSeconds))}
      </span>
    </h3>
    {isEmpty && (
      <p className={styles.fault}>
        {texts.policies.passed} <a href="#levels">{texts.policies.mend}</a>
      </p>
    )}
    <ul className={styles.plain}>
      {recipients.map((recipient) => (
        <li key={`${recipient.channel} ${recipient.target}`} title={recipient.why}>
          <bdi className={styles.who}>{recipient.userName ?? recipient.target}</bdi>
          <span className={styles.hint}>
            {recipient.scheduleId !== null && recipient.scheduleName !== null ? (
              <Link to="/schedules/$id" params={{ id: recipient.scheduleId }}>
                <bdi>{recipient.scheduleName}</bdi>
              </Link>
            ) : (
              <bdi>{texts.policies.by(texts.incidents.told.channels[recipient.channel] ?? recipient.channel)}</bdi>
            )}
            {recipient.until !== null && (
              <>
                {' '}
                {texts.policies.until} <ExactTime at={recipient.until} />
              </>
            )}
          </span>
          {recipient.unreachable !== null && (
            <bdi className={styles.fault}>{texts.routing.unreachable(recipient.unreachable)}</bdi>
          )}
        </li>
      ))}
    </ul>
  </li>
);
