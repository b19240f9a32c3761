import { hueOf, lettersOf } from './sender-mark.js';
import { senderOf } from './senders.js';
import styles from './integrations.module.css';

/** Letters on a colour; the name stands beside it. */
export const TypeMark = ({ type, size = 24 }: { type: string; size?: number }) => (
  <svg viewBox="0 0 32 32" width={size} height={size} aria-hidden className={styles.mark} data-hue={hueOf(type)}>
    <rect width="32" height="32" rx="7" />
    <text x="16" y="21" textAnchor="middle" fontSize="14" fontWeight="700">
      {lettersOf(senderOf(type).name)}
    </text>
  </svg>
);
