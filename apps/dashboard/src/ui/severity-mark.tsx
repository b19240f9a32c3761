import { texts } from '../texts/texts.js';
import styles from './marks.module.css';

export type Severity = keyof typeof texts.ui.severity;

/** The shapes differ as well as the colours: octagon, triangle, diamond, square, circle. */
const shapes: Record<Severity, string> = {
  critical: 'M5 1h6l4 4v6l-4 4H5l-4-4V5z',
  high: 'M8 1.5 15 14.5H1z',
  medium: 'M8 1l7 7-7 7-7-7z',
  low: 'M2.5 2.5h11v11h-11z',
  info: 'M8 2a6 6 0 1 1 0 12A6 6 0 0 1 8 2z',
};

/** Colour, shape and word. With `compact` the word is for screen readers and on hover only. */
export const SeverityMark = ({ severity, compact = false }: { severity: Severity; compact?: boolean }) => (
  <span className={styles.severity} data-severity={severity} title={compact ? texts.ui.severity[severity] : undefined}>
    <svg viewBox="0 0 16 16" width="12" height="12" aria-hidden>
      <path d={shapes[severity]} fill="currentColor" />
    </svg>
    <span className={compact ? styles.hidden : styles.word}>{texts.ui.severity[severity]}</span>
  </span>
);
