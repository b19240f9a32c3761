import { LabelChips } from '../ui/label-chips.js';
import styles from './alerts.module.css';

const shown = 2;

export interface RowLabelsProps {
  labels: Readonly<Record<string, string>>;
  onPick: (label: string) => void;
  picked: readonly string[];
}

/** The first labels on one line; how many more there are. */
export function RowLabels({ labels, onPick, picked }: RowLabelsProps) {
  const names = Object.keys(labels).sort();
  const first = Object.fromEntries(names.slice(0, shown).map((name) => [name, labels[name] ?? '']));
  const more = names.length - shown;
  return (
    <span className={styles.labels}>
      <LabelChips labels={first} onPick={onPick} picked={picked} />
      {more > 0 && (
        <span className={styles.more} title={names.slice(shown).join(', ')}>
          +{more}
        </span>
      )}
    </span>
  );
}
