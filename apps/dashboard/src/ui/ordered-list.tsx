/** A list whose order is changed with the pointer, or with the arrow keys on the handle of an entry. */
import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { DragHandleDots2Icon } from '@radix-ui/react-icons';
import { useRef, useState, type PointerEvent, type ReactNode } from 'react';
import { texts } from '../texts/texts.js';
import { movedTo } from './moved-to.js';
import styles from './ordered-list.module.css';

export interface OrderedListProps<One> {
  label: string;
  items: readonly One[];
  keyOf: (item: One) => string;
  nameOf: (item: One) => string;
  onChange: (items: One[]) => void;
  children: (item: One, index: number) => ReactNode;
}

export function OrderedList<One>({ label, items, keyOf, nameOf, onChange, children }: OrderedListProps<One>) {
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string | null>(null);
  const [said, setSaid] = useState('');
  const move = (item: One, from: number, to: number): void => {
    if (to < 0 || to >= items.length || from === to) return;
    onChange(movedTo(items, from, to));
    setSaid(texts.ui.order.moved(nameOf(item), to + 1, items.length));
  };
  const over = ({ clientY }: PointerEvent): number =>
    [...(list.current?.children ?? [])].findIndex((entry) => {
      const { top, bottom } = entry.getBoundingClientRect();
      return top <= clientY && clientY < bottom;
    });
  return (
    <>
      <ol ref={list} className={styles.list} aria-label={label}>
        {items.map((item, index) => (
          <li key={keyOf(item)} className={styles.entry} data-dragged={dragged === keyOf(item) || undefined}>
            <ActionIcon
              className={styles.handle}
              size="sm"
              aria-label={texts.ui.order.move(nameOf(item))}
              title={texts.ui.order.hint}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                setDragged(keyOf(item));
              }}
              onPointerMove={(event) => {
                if (dragged !== keyOf(item)) return;
                const to = over(event);
                if (to >= 0) move(item, index, to);
              }}
              onPointerUp={() => setDragged(null)}
              onPointerCancel={() => setDragged(null)}
              onKeyDown={(event) => {
                const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
                if (step === 0) return;
                event.preventDefault();
                move(item, index, index + step);
              }}
            >
              <DragHandleDots2Icon aria-hidden />
            </ActionIcon>
            {children(item, index)}
          </li>
        ))}
      </ol>
      <VisuallyHidden aria-live="polite">{said}</VisuallyHidden>
    </>
  );
}
