import { texts } from '../texts/texts.js';
import { useZone } from '../app/zone.js';
import { clockTime } from '../ui/time.js';
import { useLiveState } from './connection-state.js';
import styles from './live-state.module.css';

/** Says when the connection is lost, and as of when the page is then. */
export function LiveState() {
  const state = useLiveState();
  const zone = useZone();
  const words =
    state.kind === 'stale' ? texts.app.liveState.stale(clockTime(state.since, zone)) : texts.app.liveState[state.kind];
  return (
    <span className={styles.state} data-kind={state.kind} role="status">
      <span className={styles.dot} aria-hidden />
      <span className={styles.words}>{words}</span>
    </span>
  );
}
