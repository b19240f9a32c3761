import styles from './linked-text.module.css';
import { partsOf } from './links.js';

/** A text that others wrote, as text; addresses in it can be opened. */
export const LinkedText = ({ text }: { text: string }) => (
  <div className={styles.text} dir="auto">
    {partsOf(text).map(({ text: part, href }, i) =>
      href === null ? (
        part
      ) : (
        <a key={i} href={href} target="_blank" rel="noopener noreferrer nofollow">
          {part}
        </a>
      ),
    )}
  </div>
);
