import { Button, Progress } from '@mantine/core';
import { useState } from 'react';
import { texts } from '../texts/texts.js';
import { percentOf, type BulkProgress as Shown } from './bulk.js';
import styles from './alerts.module.css';

export interface BulkProgressProps {
  progress: Shown;
  titleOf: (id: string) => string;
  onOpen: (id: string) => void;
  onDismiss: () => void;
}

const words = {
  acknowledge: { doing: texts.alerts.bulk.acknowledging, done: texts.alerts.bulk.acknowledged },
  resolve: { doing: texts.alerts.bulk.resolving, done: texts.alerts.bulk.resolved },
  assign: { doing: texts.alerts.bulk.assigning, done: texts.alerts.bulk.assigned },
  note: { doing: texts.alerts.bulk.noting, done: texts.alerts.bulk.noted },
};

/** How far the change is, and each alert that could not be changed. */
export function BulkProgress({ progress, titleOf, onOpen, onDismiss }: BulkProgressProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { action, requested, succeeded, failed, failures, state, error } = progress;
  const said = words[action];
  return (
    <section className={styles.progress} aria-label={texts.alerts.bulk.title}>
      <div className={styles.progressLine}>
        <span role="status">
          {state === 'running' ? said.doing(succeeded + failed, requested) : said.done(succeeded)}
        </span>
        {failed > 0 && <span className={styles.failed}>{texts.alerts.bulk.failed(failed)}</span>}
        {failures.length > 0 && (
          <Button variant="subtle" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
            {isOpen ? texts.alerts.bulk.hide : texts.alerts.bulk.show}
          </Button>
        )}
        <span className={styles.space} />
        {state !== 'running' && (
          <Button variant="subtle" color="gray" onClick={onDismiss}>
            {texts.alerts.bulk.dismiss}
          </Button>
        )}
      </div>
      {state === 'running' && <Progress value={percentOf(progress)} size="sm" aria-label={texts.alerts.bulk.title} />}
      {state === 'stopped' && (
        <p className={styles.failed} role="alert">
          {String(error ?? '')} {texts.alerts.bulk.stopped}
        </p>
      )}
      {isOpen && (
        <ul className={styles.failures}>
          {failures.map(({ id, error: why }) => (
            <li key={id}>
              <button type="button" className={styles.link} onClick={() => onOpen(id)}>
                <bdi>{titleOf(id)}</bdi>
              </button>{' '}
              {why}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
