import { Drawer } from '@mantine/core';
import { DotsHorizontalIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { texts } from '../../texts/texts.js';
import { navigation, type NavigationEntry } from '../navigation.js';
import { useCan, useSession } from '../session.js';
import styles from './shell.module.css';

/** The entries that the member may open. */
export function useNavigation(): NavigationEntry[] {
  const can = useCan();
  return navigation.filter(({ operation }) => operation === undefined || can(operation));
}

const Entry = ({ entry, className, onOpen }: { entry: NavigationEntry; className: string; onOpen?: () => void }) => (
  <Link
    to={entry.path as '/'}
    className={className}
    activeOptions={{ exact: entry.path === '/', includeSearch: false }}
    onClick={onOpen}
  >
    <entry.icon aria-hidden />
    <span>{entry.label}</span>
  </Link>
);

export function SideBar() {
  const { organization } = useSession();
  return (
    <nav className={styles.side} aria-label={texts.navigation.label}>
      <div className={styles.organization}>{organization.name}</div>
      {useNavigation().map((entry) => (
        <Entry key={entry.path} entry={entry} className={styles.entry ?? ''} />
      ))}
    </nav>
  );
}

/** On a phone: the entries for the night, and all others behind one more. */
export function BottomBar() {
  const [open, setOpen] = useState(false);
  const entries = useNavigation();
  return (
    <nav className={styles.bottom} aria-label={texts.navigation.label}>
      {entries
        .filter(({ onPhone }) => onPhone)
        .map((entry) => (
          <Entry key={entry.path} entry={entry} className={styles.tab ?? ''} />
        ))}
      <button type="button" className={styles.tab} aria-haspopup="dialog" onClick={() => setOpen(true)}>
        <DotsHorizontalIcon aria-hidden />
        <span>{texts.navigation.more}</span>
      </button>
      <Drawer opened={open} onClose={() => setOpen(false)} position="bottom" size="auto" title={texts.navigation.more}>
        {entries
          .filter(({ onPhone }) => !onPhone)
          .map((entry) => (
            <Entry key={entry.path} entry={entry} className={styles.entry ?? ''} onOpen={() => setOpen(false)} />
          ))}
      </Drawer>
    </nav>
  );
}
