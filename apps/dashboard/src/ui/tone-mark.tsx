import type { ReactNode } from 'react';
import styles from './tone-mark.module.css';

export type Tone = 'good' | 'bad' | 'waiting' | 'neutral';

/** A short word for the state of a record, with a colour. */
export const ToneMark = ({ tone, children }: { tone: Tone; children: ReactNode }) => (
  <span className={styles.mark} data-tone={tone}>
    {children}
  </span>
);
