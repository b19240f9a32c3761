import { Button, Menu } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { ChevronDownIcon } from '@radix-ui/react-icons';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useCommands } from '../app/commands.js';
import { useCan } from '../app/session.js';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import { holdersOf } from '../now/open-incident.js';
import { ExactTime } from '../ui/exact-time.js';
import { NoteForm } from '../ui/note-form.js';
import { PageHeader } from '../ui/page-header.js';
import { RelativeTime } from '../ui/relative-time.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { StatusMark } from '../ui/status-mark.js';
import { EditIncident } from './edit-incident.js';
import { EscalateIncident } from './escalate-incident.js';
import { HandOver } from './hand-over.js';
import { useHolderText } from './incident-columns.js';
import { MergeIncidents } from './merge-incidents.js';
import { mayEscalate } from './next-told.js';
import { ResolveIncident } from './resolve-incident.js';
import { SnoozeMenu } from './snooze-menu.js';
import { useUpdateIncident, type Incident } from './use-update-incident.js';
import styles from './incidents.module.css';

type Dialog = 'handOver' | 'note' | 'resolve' | 'edit' | 'merge' | 'escalate' | null;

/** What it is, who has it, and what can be done. */
export function IncidentHead({ incident }: { incident: Incident }) {
  const { number, title, severity, urgency, status, triggeredAt, mergedInto } = incident;
  const can = useCan();
  const holderOf = useHolderText();
  const { acknowledge, change } = useUpdateIncident();
  const [dialog, setDialog] = useState<Dialog>(null);
  const close = (): void => setDialog(null);
  const mayChange = can('updateIncident');
  const isOpen = status !== 'resolved';
  const mayMerge = isOpen && can('mergeIncidents');
  const mayTellNext = mayEscalate(incident) && can('escalateIncident');
  const shortcut = (keys: string, label: string, may: boolean, run: () => void) => (may ? [{ keys, label, run }] : []);
  useShortcuts(texts.incidents.acts, [
    ...shortcut('a', texts.incidents.acknowledge, mayChange && status === 'triggered', () => acknowledge(incident)),
    ...shortcut('r', texts.incidents.resolve, mayChange && isOpen, () => setDialog('resolve')),
    ...shortcut('h', texts.incidents.handOver, mayChange && isOpen, () => setDialog('handOver')),
    ...shortcut('n', texts.incidents.addNote, mayChange, () => setDialog('note')),
    ...shortcut('e', texts.incidents.edit, mayChange, () => setDialog('edit')),
    ...shortcut('u', texts.incidents.escalate, mayTellNext, () => setDialog('escalate')),
    ...shortcut('m', texts.incidents.merge, mayMerge, () => setDialog('merge')),
  ]);
  const command = (id: Dialog & string, label: string, may: boolean) =>
    may ? [{ id, label, run: () => setDialog(id) }] : [];
  useCommands(texts.incidents.acts, [
    ...command('escalate', texts.incidents.escalate, mayTellNext),
    ...command('merge', texts.incidents.merge, mayMerge),
  ]);
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const more = [
    ...command('handOver', texts.incidents.handOver, isOpen),
    ...command('escalate', texts.incidents.escalate, mayTellNext),
    ...command('merge', texts.incidents.merge, mayMerge),
    ...command('note', texts.incidents.addNote, true),
    ...command('edit', texts.incidents.edit, true),
  ];
  return (
    <PageHeader
      title={texts.incidents.heading(number, title)}
      actions={
        mayChange && (
          <div className={styles.acts} role="group" aria-label={texts.incidents.acts}>
            {status === 'triggered' && (
              <Button onClick={() => acknowledge(incident)}>{texts.incidents.acknowledge}</Button>
            )}
            {isOpen && <SnoozeMenu incident={incident} />}
            {!isNarrow &&
              more.map(({ id, label, run }) => (
                <Button key={id} variant="default" onClick={run}>
                  {label}
                </Button>
              ))}
            {isOpen ? (
              <Button variant={status === 'acknowledged' ? 'filled' : 'default'} onClick={() => setDialog('resolve')}>
                {texts.incidents.resolve}
              </Button>
            ) : mergedInto !== null ? null : (
              <Button
                variant="default"
                onClick={() => void change(incident, { status: 'triggered' }, texts.incidents.reopened(number))}
              >
                {texts.incidents.reopen}
              </Button>
            )}
            {isNarrow && <MoreActs acts={more} />}
          </div>
        )
      }
    >
      <div className={styles.facts}>
        <SeverityMark severity={severity} />
        <StatusMark status={status} />
        <span>{urgency === 'high' ? texts.incidents.highUrgency : texts.incidents.lowUrgency}</span>
        <span>
          {texts.incidents.since} <ExactTime at={triggeredAt} /> (<RelativeTime at={triggeredAt} />)
        </span>
        {mergedInto !== null && (
          <span>
            {texts.incidents.mergedInto}{' '}
            <Link to="/incidents/$number" params={{ number: mergedInto }}>
              {texts.incidents.mergedIntoLink}
            </Link>
          </span>
        )}
        {isOpen && (
          <strong className={styles.holder} data-nobody={holdersOf(incident).kind === 'nobody' || undefined}>
            <bdi>{holderOf(incident)}</bdi>
          </strong>
        )}
      </div>
      {dialog === 'handOver' && <HandOver incident={incident} onClose={close} />}
      {dialog === 'resolve' && <ResolveIncident incident={incident} onClose={close} />}
      {dialog === 'edit' && <EditIncident incident={incident} onClose={close} />}
      {dialog === 'merge' && <MergeIncidents incident={incident} onClose={close} />}
      {dialog === 'escalate' && <EscalateIncident incident={incident} onClose={close} />}
      {dialog === 'note' && (
        <NoteForm
          title={texts.incidents.addNote}
          label={texts.incidents.note}
          placeholder={texts.incidents.noteText}
          action={texts.incidents.addNote}
          onClose={close}
          send={(note) => change(incident, { note }, texts.incidents.noted)}
        />
      )}
    </PageHeader>
  );
}

/** On a phone: what is needed less often. */
const MoreActs = ({ acts }: { acts: readonly { id: string; label: string; run: () => void }[] }) => (
  <Menu position="bottom-end">
    <Menu.Target>
      <Button variant="default" rightSection={<ChevronDownIcon aria-hidden />}>
        {texts.incidents.more}
      </Button>
    </Menu.Target>
    <Menu.Dropdown>
      {acts.map(({ id, label, run }) => (
        <Menu.Item key={id} onClick={run}>
          {label}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
);
