import { texts } from '../texts/texts.js';
import styles from './marks.module.css';

const words = { ...texts.ui.alertStatus, ...texts.ui.incidentStatus };

/** The state of an alert or an incident, as a word with a colour. */
export const StatusMark = ({ status }: { status: keyof typeof words }) => (
  <span className={styles.status} data-status={status}>
    {words[status]}
  </span>
);
