import { Switch } from '@mantine/core';
import { useQueryClient, type InfiniteData } from '@tanstack/react-query';
import { invalidate, type Page } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import type { Workflow } from './definition.js';

/** Turns a workflow on and off: at once on the screen, with undo. */
export function WorkflowSwitch({ workflow, label }: { workflow: Workflow; label?: string }) {
  const { id, name, enabled } = workflow;
  const queries = useQueryClient();
  const can = useCan();
  const show = (next: boolean): void => {
    queries.setQueriesData<Workflow>(
      { queryKey: ['getWorkflow'] },
      (record) => record && (record.id === id ? { ...record, enabled: next } : record),
    );
    queries.setQueriesData<InfiniteData<Page<Workflow>>>(
      { queryKey: ['listWorkflows'] },
      (data) =>
        data?.pages && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            data: page.data.map((row) => (row.id === id ? { ...row, enabled: next } : row)),
          })),
        },
    );
  };
  const after = (next: boolean, undo: () => void) => ({
    onSuccess: () => {
      const { turnedOn, turnedOff } = texts.workflows;
      notifyDone(next ? turnedOn(name) : turnedOff(name), undo);
      void invalidate(queries, ['getWorkflow', 'listWorkflows']);
    },
    onError: (error: unknown) => {
      show(!next);
      notifyFailed(texts.workflows.switchFailed(name), error);
    },
  });
  const enable = useAct(
    'enableWorkflow',
    after(true, () => change(false)),
  );
  const disable = useAct(
    'disableWorkflow',
    after(false, () => change(true)),
  );
  const change = (next: boolean): void => {
    show(next);
    (next ? enable : disable).mutate({ path: { id } });
  };
  return (
    <Switch
      size="xs"
      checked={enabled}
      disabled={!can('enableWorkflow')}
      label={label}
      aria-label={
        label === undefined ? (enabled ? texts.workflows.turnOff(name) : texts.workflows.turnOn(name)) : undefined
      }
      onChange={({ currentTarget }) => change(currentTarget.checked)}
    />
  );
}
