/** The way to a new record: a button, the key `c`, and a command. Nothing for a member who may not make one. */
import { Button } from '@mantine/core';
import { PlusIcon } from '@radix-ui/react-icons';
import { useNavigate, type LinkProps } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { OperationId } from '../api/operation-types.js';
import { useCommands } from '../app/commands.js';
import { useCan } from '../app/session.js';
import { useShortcuts } from '../app/shortcuts.js';
import { LinkButton } from './link-button.js';

export interface NewRecord {
  operation: OperationId;
  label: string;
  /** A page, or what opens a dialog. */
  to: LinkProps['to'] | (() => void);
}

export function useNewRecord(title: string, { operation, label, to }: NewRecord): ReactNode {
  const navigate = useNavigate();
  const may = useCan()(operation);
  const run = typeof to === 'function' ? to : () => void navigate({ to });
  useShortcuts(title, may ? [{ keys: 'c', label, run }] : []);
  useCommands(title, may ? [{ id: operation, label, run }] : []);
  if (!may) return null;
  const icon = <PlusIcon aria-hidden />;
  return typeof to === 'function' ? (
    <Button leftSection={icon} onClick={to}>
      {label}
    </Button>
  ) : (
    <LinkButton leftSection={icon} to={to}>
      {label}
    </LinkButton>
  );
}
