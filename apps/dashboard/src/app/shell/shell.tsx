/** What surrounds every page of a member: navigation, search, environment, zone, account. */
import { useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { texts } from '../../texts/texts.js';
import { useLive } from '../../live/use-live.js';
import { Late } from '../../ui/late.js';
import { useTestData } from '../environment.js';
import { BottomBar, SideBar } from './navigation.js';
import { ShortcutSheet } from './shortcut-sheet.js';
import { TopBar } from './top-bar.js';
import styles from './shell.module.css';

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.js')).CommandPalette }));

const palette = new Late();

async function openPalette(): Promise<void> {
  palette.want();
  const { spotlight } = await import('@mantine/spotlight');
  spotlight.open();
}

export function Shell() {
  useLive();
  const hasPalette = palette.use();
  // The palette listens to the key itself.
  useHotkeys(hasPalette ? [] : [['mod+K', () => void openPalette()]]);
  const isTest = useTestData();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {texts.app.skipToContent}
      </a>
      <SideBar />
      <TopBar onSearch={() => void openPalette()} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {isTest && <div className={styles.testBand}>{texts.app.testData}</div>}
        <Outlet />
      </main>
      <BottomBar />
      {hasPalette && (
        <Suspense>
          <CommandPalette />
        </Suspense>
      )}
      <ShortcutSheet />
    </div>
  );
}
