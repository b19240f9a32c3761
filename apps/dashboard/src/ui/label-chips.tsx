import styles from './label-chips.module.css';

export interface LabelChipsProps {
  labels: Readonly<Record<string, string>>;
  /** Called with `region:eu`, for a filter. Without it the chips are text. */
  onPick?: (label: string) => void;
  /** Labels in filters at present. */
  picked?: readonly string[];
}

/** Labels in the order of their names. Long values are cut in the row, whole on hover. */
export const LabelChips = ({ labels, onPick, picked = [] }: LabelChipsProps) => (
  <ul className={styles.chips}>
    {Object.entries(labels)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, value]) => {
        const label = `${name}:${value}`;
        const content = (
          <>
            <span className={styles.name}>{name}</span>
            <bdi>{value}</bdi>
          </>
        );
        return (
          <li key={name} title={label}>
            {onPick ? (
              <button
                type="button"
                className={styles.chip}
                aria-pressed={picked.includes(label)}
                onClick={() => onPick(label)}
              >
                {content}
              </button>
            ) : (
              <span className={styles.chip}>{content}</span>
            )}
          </li>
        );
      })}
  </ul>
);
