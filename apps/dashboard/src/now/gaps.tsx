import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import styles from './now.module.css';

/** Schedules on which nobody is on call though somebody should be. */
export function Gaps() {
  const { data = [] } = useQuery(all('getCurrentOnCall'));
  const gaps = data.filter(({ isGap, isPlannedGap }) => isGap && !isPlannedGap);
  if (gaps.length === 0) return null;
  return (
    <section className={styles.box} aria-labelledby="gaps">
      <h2 id="gaps" className={styles.section}>
        {texts.now.gaps}
      </h2>
      {gaps.map(({ scheduleId, scheduleName }) => (
        <p key={scheduleId}>
          <bdi>{scheduleName}</bdi>
        </p>
      ))}
      <p className={styles.dimmed}>{texts.now.gapsHint}</p>
    </section>
  );
}
