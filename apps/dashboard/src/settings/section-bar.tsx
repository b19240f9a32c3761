import { useEffect, type ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import styles from './settings.module.css';

export interface SectionBarProps {
  title: string;
  /** Filters. */
  children?: ReactNode;
  /** Buttons, at the right. */
  actions?: ReactNode;
}

/** The head of a section of the settings; it also names the tab of the browser. */
export function SectionBar({ title, children, actions }: SectionBarProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.app.name}`;
  }, [title]);
  return (
    <div className={styles.bar}>
      <h2 className={styles.barTitle}>{title}</h2>
      {children !== undefined && <div className={styles.barFilters}>{children}</div>}
      <div className={styles.barEnd}>{actions}</div>
    </div>
  );
}
