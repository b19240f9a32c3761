import { useId, type ReactNode } from 'react';
import styles from './panel-section.module.css';

export interface PanelSectionProps {
  title: string;
  aside?: ReactNode;
  /** One below the heading of the record: that of a page is `h1`, that of a panel `h2`. */
  heading?: 'h2' | 'h3';
  children: ReactNode;
}

/** A part of a panel or of a story, with a small heading. */
export function PanelSection({ title, aside, heading: Heading = 'h3', children }: PanelSectionProps) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.line}>
        <Heading id={id} className={styles.title}>
          {title}
        </Heading>
        {aside}
      </div>
      {children}
    </section>
  );
}
