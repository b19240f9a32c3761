import { Kbd, UnstyledButton } from '@mantine/core';
import { MagnifyingGlassIcon } from '@radix-ui/react-icons';
import { texts } from '../../texts/texts.js';
import { LiveState } from '../../live/live-state.js';
import { AccountMenu } from './account-menu.js';
import styles from './shell.module.css';

const mod = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl';

export const TopBar = ({ onSearch }: { onSearch: () => void }) => (
  <header className={styles.top}>
    <UnstyledButton className={styles.search} onClick={onSearch}>
      <MagnifyingGlassIcon aria-hidden />
      <span>{texts.app.search}</span>
      <Kbd size="xs" className={styles.keys} aria-hidden>
        {mod} K
      </Kbd>
    </UnstyledButton>
    <div className={styles.space} />
    <LiveState />
    <AccountMenu />
  </header>
);
