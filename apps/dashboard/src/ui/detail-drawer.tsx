import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './detail-drawer.module.css';

export interface DetailDrawerProps {
  title: ReactNode;
  open: boolean;
  onClose: () => void;
  children: ReactNode;
}

/** A record beside its list: over the list on a phone. Escape closes it, and the focus goes back to the row. */
export const DetailDrawer = ({ title, open, onClose, children }: DetailDrawerProps) => (
  <Drawer
    opened={open}
    onClose={onClose}
    position="right"
    size="38rem"
    title={title}
    classNames={{ content: styles.content, body: styles.body, title: styles.title }}
    transitionProps={{ duration: 120 }}
  >
    {children}
  </Drawer>
);
