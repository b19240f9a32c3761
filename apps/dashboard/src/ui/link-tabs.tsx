import type { ReactNode } from 'react';
import styles from './link-tabs.module.css';

/** The parts of a page, each with an address. The children are links; the router marks the one that is shown. */
export const LinkTabs = ({ label, children }: { label: string; children: ReactNode }) => (
  <nav className={styles.tabs} aria-label={label}>
    {children}
  </nav>
);
