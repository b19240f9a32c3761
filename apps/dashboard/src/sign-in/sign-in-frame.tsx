import type { ReactNode } from 'react';
import { useEffect } from 'react';
import { texts } from '../texts/texts.js';
import styles from './sign-in.module.css';

/** What surrounds the pages of people who are not signed in. */
export function SignInFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · ${texts.app.name}`;
  }, [title]);
  return (
    <main className={styles.frame}>
      <div className={styles.card}>
        <img src="/icon.svg" alt="" width={40} height={40} />
        <h1 className={styles.title}>{title}</h1>
        {children}
      </div>
    </main>
  );
}
