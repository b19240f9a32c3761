import type { ReactNode } from 'react';
import styles from './states.module.css';

export interface EmptyStateProps {
  title: string;
  /** What the reader can do. */
  hint?: ReactNode;
  action?: ReactNode;
}

/** Nothing is here, and what comes next. */
export const EmptyState = ({ title, hint, action }: EmptyStateProps) => (
  <div className={styles.state}>
    <p className={styles.title}>{title}</p>
    {hint !== undefined && <p className={styles.hint}>{hint}</p>}
    {action}
  </div>
);
