/** A record beside its list, which stays usable. On a narrow screen it takes the place of the list. */
import { ActionIcon } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { useEffect, useRef, type ReactNode } from 'react';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import styles from './detail-panel.module.css';

export interface DetailPanelProps {
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** Takes the focus when it opens, and gives it back when it closes. */
export function DetailPanel({ label, onClose, children }: DetailPanelProps) {
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    const before = document.activeElement;
    panel.current?.focus({ preventScroll: true });
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
    };
  }, []);
  useShortcuts(label, [{ keys: 'Escape', label: texts.ui.close, run: onClose }]);
  return (
    <section ref={panel} className={styles.panel} aria-label={label} tabIndex={-1}>
      <ActionIcon className={styles.close} onClick={onClose} aria-label={texts.ui.close}>
        <Cross2Icon aria-hidden />
      </ActionIcon>
      {children}
    </section>
  );
}
