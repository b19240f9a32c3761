import { ActionIcon, CopyButton as Copying, Tooltip } from '@mantine/core';
import { CheckIcon, CopyIcon } from '@radix-ui/react-icons';
import { texts } from '../texts/texts.js';

/** Copies the value; says so. */
export const CopyButton = ({ value, label = texts.ui.copy }: { value: string; label?: string }) => (
  <Copying value={value}>
    {({ copied, copy }) => (
      <Tooltip label={copied ? texts.ui.copied : label}>
        <ActionIcon onClick={copy} aria-label={copied ? texts.ui.copied : label} size="sm">
          {copied ? <CheckIcon aria-hidden /> : <CopyIcon aria-hidden />}
        </ActionIcon>
      </Tooltip>
    )}
  </Copying>
);
