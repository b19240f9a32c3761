import { texts } from '../texts/texts.js';
import styles from './marks.module.css';

const words = { ...texts.ui.alertStatus, ...texts.ui.incidentStatus };

type Status = keyof typeof words;

/** A ring, a clock, a bar, a tick. */
const shapes: Record<Status, string> = {
  firing: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11z',
  triggered: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11z',
  acknowledged: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11zM8 5v3l2 2',
  suppressed: 'M3 8h10',
  resolved: 'M3 8.5l3.5 3.5L13 4.5',
};

/** The state of an alert or an incident, as a word with a colour; with `compact` as a shape, and the word on hover. */
export const StatusMark = ({ status, compact = false }: { status: Status; compact?: boolean }) => (
  <span className={styles.status} data-status={status} title={compact ? words[status] : undefined}>
    {compact && (
      <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden>
        <path d={shapes[status]} fill="none" stroke="currentColor" strokeWidth="2" />
      </svg>
    )}
    <span className={compact ? styles.hidden : undefined}>{words[status]}</span>
  </span>
);
