import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { texts } from '../texts/texts.js';
import styles from './page-header.module.css';

export interface PageHeaderProps {
  title: string;
  /** Beside the title: a number, a state. */
  aside?: ReactNode;
  /** Buttons, at the right. */
  actions?: ReactNode;
  /** Below: what the page is about, tabs, filters. */
  children?: ReactNode;
}

/** The head of every page; it also names the tab of the browser. */
export function PageHeader({ title, aside, actions, children }: PageHeaderProps) {
  useEffect(() => {
    document.title = `${title} · ${texts.app.name}`;
  }, [title]);
  return (
    <header className={styles.header}>
      <div className={styles.line}>
        <h1 className={styles.title}>{title}</h1>
        {aside}
        <div className={styles.actions}>{actions}</div>
      </div>
      {children}
    </header>
  );
}
