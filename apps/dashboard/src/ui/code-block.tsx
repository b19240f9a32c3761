import { CopyButton } from './copy-button.js';
import styles from './code-block.module.css';

export interface CodeBlockProps {
  text: string;
  /** What it is; above the text, and the name of the region for readers. */
  title: string;
  /** It is shown only now. */
  isSecret?: boolean;
}

/** Text to copy as it is: a URL, a key, a configuration, JSON. */
export const CodeBlock = ({ text, title, isSecret = false }: CodeBlockProps) => (
  <div className={styles.block} data-secret={isSecret || undefined}>
    <div className={styles.head}>
      <span>{title}</span>
      <CopyButton value={text} />
    </div>
    <pre className={styles.text} tabIndex={0} role="region" aria-label={title}>
      {text}
    </pre>
  </div>
);
