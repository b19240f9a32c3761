import { Button, CopyButton, Group, Modal } from '@mantine/core';
import { texts } from '../../texts/texts.js';
import styles from './profile.module.css';

/** Recovery codes, which are shown once. */
export const RecoveryCodes = ({ codes, close }: { codes: readonly string[]; close: () => void }) => (
  <Modal
    opened
    onClose={close}
    title={texts.profile.recoveryCodes}
    closeOnClickOutside={false}
    closeOnEscape={false}
    withCloseButton={false}
  >
    <p className={styles.dimmed}>{texts.profile.recoveryText}</p>
    <ul className={styles.codes}>
      {codes.map((code) => (
        <li key={code}>{code}</li>
      ))}
    </ul>
    <Group justify="flex-end" mt="md">
      <CopyButton value={codes.join('\n')}>
        {({ copied, copy }) => (
          <Button variant="default" onClick={copy}>
            {copied ? texts.ui.copied : texts.profile.copyCodes}
          </Button>
        )}
      </CopyButton>
      <Button onClick={close}>{texts.profile.recoveryDone}</Button>
    </Group>
  </Modal>
);
