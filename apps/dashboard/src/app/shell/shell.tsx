/** What surrounds every page of a member: navigation, search, environment, zone, account. */
import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { texts } from '../../texts/texts.js';
import { useLive } from '../../live/use-live.js';
import { useTestData } from '../environment.js';
import { BottomBar, SideBar } from './navigation.js';
import { ShortcutSheet } from './shortcut-sheet.js';
import { TopBar } from './top-bar.js';
import styles from './shell.module.css';

/** It is needed only later than the page. */
const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.js')).CommandPalette }));

export function Shell() {
  useLive();
  const isTest = useTestData();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {texts.app.skipToContent}
      </a>
      <SideBar />
      <TopBar />
      <main id="content" className={styles.main} tabIndex={-1}>
        {isTest && <div className={styles.testBand}>{texts.app.testData}</div>}
        <Outlet />
      </main>
      <BottomBar />
      <Suspense>
        <CommandPalette />
      </Suspense>
      <ShortcutSheet />
    </div>
  );
}
