/** What surrounds every page of a member: navigation, search, environment, zone, account. */
import { useHotkeys } from '@mantine/hooks';
import { Outlet } from '@tanstack/react-router';
import { texts } from '../../texts/texts.js';
import { useLive } from '../../live/use-live.js';
import { Late } from '../../ui/late.js';
import { notifyFailed } from '../../ui/notify.js';
import { useTestData } from '../environment.js';
import { BottomBar, SideBar } from './navigation.js';
import { ShortcutSheet } from './shortcut-sheet.js';
import { TopBar } from './top-bar.js';
import styles from './shell.module.css';

const palette = new Late(() => import('./command-palette.js'));

const openPalette = (): void =>
  void palette.get().then(
    ({ spotlight }) => spotlight.open(),
    (error: unknown) => notifyFailed(texts.app.search, error),
  );

export function Shell() {
  useLive();
  const loaded = palette.use();
  // The palette listens to the key itself.
  useHotkeys(loaded ? [] : [['mod+K', openPalette]]);
  const isTest = useTestData();
  return (
    <div className={styles.shell}>
      <a className={styles.skip} href="#content">
        {texts.app.skipToContent}
      </a>
      <SideBar />
      <TopBar onSearch={openPalette} />
      <main id="content" className={styles.main} tabIndex={-1}>
        {isTest && <div className={styles.testBand}>{texts.app.testData}</div>}
        <Outlet />
      </main>
      <BottomBar />
      {loaded && <loaded.CommandPalette />}
      <ShortcutSheet />
    </div>
  );
}
