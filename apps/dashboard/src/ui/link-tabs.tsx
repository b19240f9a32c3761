import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef, type ReactNode } from 'react';
import styles from './link-tabs.module.css';

/** The parts of a page, each with an address. The children are links; the router marks the one that is shown. */
export function LinkTabs({ label, children }: { label: string; children: ReactNode }) {
  const tabs = useRef<HTMLElement>(null);
  const href = useLocation({ select: (location) => location.href });
  // On a phone not all of them are on the screen.
  useEffect(() => {
    tabs.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [href]);
  return (
    <nav ref={tabs} className={styles.tabs} aria-label={label}>
      {children}
    </nav>
  );
}
