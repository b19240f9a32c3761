import { useId, type ReactNode } from 'react';
import styles from './section.module.css';

export interface SectionProps {
  title: string;
  /** What the section is about, in a sentence. */
  hint?: ReactNode;
  /** Buttons, beside the title. */
  actions?: ReactNode;
  children?: ReactNode;
}

/** A part of a page with a heading of its own. */
export function Section({ title, hint, actions, children }: SectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        <div className={styles.actions}>{actions}</div>
      </div>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children}
    </section>
  );
}
