/** `?`: all shortcuts that work at this moment. */
import { Kbd, Modal } from '@mantine/core';
import { Fragment, useState } from 'react';
import { texts } from '../../texts/texts.js';
import { useShortcutGroups, useShortcuts } from '../shortcuts.js';
import styles from './shortcut-sheet.module.css';

const Keys = ({ keys }: { keys: string }) =>
  keys.split(' ').map((key, i) => (
    <Fragment key={key}>
      {i > 0 && ` ${texts.app.then} `}
      <Kbd size="sm">{key}</Kbd>
    </Fragment>
  ));

export function ShortcutSheet() {
  const [open, setOpen] = useState(false);
  const groups = useShortcutGroups();
  const titles = [...new Set(groups.map(({ title }) => title))];
  useShortcuts(texts.app.general, [{ keys: '?', label: texts.app.shortcuts, run: () => setOpen(true) }]);
  return (
    <Modal opened={open} onClose={() => setOpen(false)} title={texts.app.shortcuts} size="lg">
      <div className={styles.groups}>
        {titles.map((title) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl className={styles.list}>
              {groups
                .filter((group) => group.title === title)
                .flatMap(({ shortcuts }) => shortcuts)
                .map(({ keys, label }) => (
                  <div key={keys} className={styles.line}>
                    <dt>{label}</dt>
                    <dd>
                      <Keys keys={keys} />
                    </dd>
                  </div>
                ))}
            </dl>
          </section>
        ))}
      </div>
    </Modal>
  );
}
