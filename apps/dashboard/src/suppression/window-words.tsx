import { useZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { useNow } from '../ui/now.js';
import { useRecordNames } from '../ui/record-names.js';
import { windowText, type Described } from './words.js';
import ruleStyles from '../ui/rule.module.css';

/** The whole window as a sentence; in a form it follows what is typed. */
export function WindowWords({ window }: { window: Described }) {
  const nameOf = useRecordNames(['integration', 'member'], window.clientIds);
  const zone = useZone();
  const now = useNow();
  return (
    <p className={ruleStyles.words} aria-label={texts.suppression.rule} role="note">
      {windowText(window, nameOf, zone, now)}
    </p>
  );
}
