/** What happened to a record, as sentences in the order in which it happened. */
import type { ReactNode } from 'react';
import { ExactTime } from './exact-time.js';
import { LinkedText } from './linked-text.js';
import styles from './timeline.module.css';

export interface TimelineItem {
  id: string;
  at: string;
  text: ReactNode;
  note?: string | null;
  /** Decides the colour of the mark. */
  tone?: 'alarm' | 'done' | 'person' | 'quiet';
  /** More about it, below. */
  details?: ReactNode;
}

export const Timeline = ({ items }: { items: readonly TimelineItem[] }) => (
  <ol className={styles.timeline}>
    {items.map(({ id, at, text, note, tone = 'quiet', details }) => (
      <li key={id} className={styles.item} data-tone={tone}>
        <span className={styles.text} dir="auto">
          {text}
        </span>
        <span className={styles.time}>
          <ExactTime at={at} />
        </span>
        {note && (
          <div className={styles.note}>
            <LinkedText text={note} />
          </div>
        )}
        {details !== undefined && <div className={styles.details}>{details}</div>}
      </li>
    ))}
  </ol>
);
