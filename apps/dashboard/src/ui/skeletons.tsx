import { Skeleton } from '@mantine/core';
import { texts } from '../texts/texts.js';
import styles from './skeletons.module.css';

/** The shape of rows that are on their way. */
export const RowsSkeleton = ({ rows = 8 }: { rows?: number }) => (
  <div className={styles.rows} role="status" aria-label={texts.ui.loading}>
    {Array.from({ length: rows }, (_, i) => (
      <Skeleton key={i} height={20} width={`${92 - ((i * 17) % 40)}%`} radius="sm" />
    ))}
  </div>
);

/** The shape of a page that is on its way. */
export const PageSkeleton = () => (
  <div className={styles.page}>
    <Skeleton height={26} width="14rem" radius="sm" />
    <RowsSkeleton />
  </div>
);
