import type { ReactNode } from 'react';
import styles from './facts.module.css';

/** Names and values below each other. A value that is null or false is left out. */
export const Facts = ({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) => (
  <dl className={styles.facts}>
    {facts.map(
      ([name, value]) =>
        value !== null &&
        value !== false && (
          <div key={name} className={styles.fact}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
);
