/** Assigning alerts, and notes about them: what changes no status. */
import { useQueryClient } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { call } from '../api/call.js';
import { invalidate } from '../api/queries.js';
import { useCan } from '../app/session.js';
import type { Shortcut } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import { NoteForm } from '../ui/note-form.js';
import { notifyDone, notifyFailed } from '../ui/notify.js';
import { AssignDialog } from './assign-dialog.js';
import type { BulkWork } from './bulk.js';
import type { Alert } from './patch-alerts.js';
import { changedByAlerts } from './use-alert-acts.js';

/** Sends one request for each of several alerts. */
export type SendEach = (work: BulkWork, ids: readonly string[], send: (id: string) => Promise<unknown>) => void;

/** What several alerts need. */
export interface ForMany {
  assign: (assigneeId: string | null, ids: readonly string[]) => void;
  each: SendEach;
}

export interface AssignAndNote {
  acts: (Shortcut & { id: 'assign' | 'note' })[];
  /** To be rendered. */
  dialog: ReactNode;
}

/** `targets`: the alerts at the time of the act. With several, `many` sends the requests. */
export function useAssignAndNote(targets: () => readonly Alert[], many?: ForMany): AssignAndNote {
  const can = useCan();
  const queries = useQueryClient();
  const [asked, setAsked] = useState<{ what: 'assign' | 'note'; alerts: readonly Alert[] } | null>(null);
  const ask = (what: 'assign' | 'note') => (): void => {
    const alerts = targets();
    if (alerts.length > 0) setAsked({ what, alerts });
  };
  const acts = [
    { id: 'assign' as const, keys: 'h', label: texts.alerts.assign, may: can('assignAlert') && can('listMembers') },
    { id: 'note' as const, keys: 'n', label: texts.alerts.addNote, may: can('createAlertNote') },
  ].flatMap(({ may, ...act }) => (may ? [{ ...act, run: ask(act.id) }] : []));

  const ids = asked?.alerts.map(({ id }) => id) ?? [];
  const isMany = ids.length > 1;
  const send = async (done: string, request: (id: string) => Promise<unknown>): Promise<boolean> => {
    const [first] = asked?.alerts ?? [];
    if (first === undefined) return true;
    if (isMany && many) {
      many.each('note', ids, request); // it shows its progress, and what has failed
      return true;
    }
    try {
      await request(first.id);
      notifyDone(done);
    } catch (error) {
      notifyFailed(texts.alerts.changeFailed(first.title), error);
      return false;
    } finally {
      void invalidate(queries, changedByAlerts);
    }
    return true;
  };

  const close = (): void => setAsked(null);
  const [first] = asked?.alerts ?? [];
  const title = first?.title ?? '';
  const dialog = (
    <>
      {asked?.what === 'assign' && (
        <AssignDialog
          assigneeId={isMany ? undefined : first?.assigneeId}
          onClose={close}
          send={async (assigneeId) => {
            if (isMany && many) {
              many.assign(assigneeId, ids); // it shows its progress, and what has failed
              return true;
            }
            return send(assigneeId === null ? texts.alerts.unassigned(title) : texts.alerts.assigned(title), (id) =>
              call('assignAlert', { path: { id }, body: { assigneeId } }),
            );
          }}
        />
      )}
      {asked?.what === 'note' && (
        <NoteForm
          title={texts.alerts.addNote}
          label={texts.alerts.note}
          placeholder={texts.alerts.noteText}
          action={texts.alerts.addNote}
          onClose={close}
          send={(note) => send(texts.alerts.noted, (id) => call('createAlertNote', { path: { id }, body: { note } }))}
        />
      )}
    </>
  );
  return { acts, dialog };
}
