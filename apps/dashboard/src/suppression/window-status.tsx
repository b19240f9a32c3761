import { texts } from '../texts/texts.js';
import type { SuppressionWindow } from './window.js';
import styles from './suppression.module.css';

/** The state of a window, as a word with a colour. */
export const WindowStatus = ({ status }: { status: SuppressionWindow['status'] }) => (
  <span className={styles.status} data-status={status}>
    {texts.suppression.statuses[status]}
  </span>
);
