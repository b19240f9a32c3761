import { Button, Menu, Tabs } from '@mantine/core';
import { ChevronDownIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { cannotShow, read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { useShortcuts } from '../app/shortcuts.js';
import { texts } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { ErrorState } from '../ui/error-state.js';
import { NoteForm } from '../ui/note-form.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { StatusMark } from '../ui/status-mark.js';
import { panelTabs, type PanelTab } from './alert-filters.js';
import { AlertMoreActs } from './alert-more-acts.js';
import { AlertOverview } from './alert-overview.js';
import { AlertRequest } from './alert-request.js';
import { AlertTimeline } from './alert-timeline.js';
import { AlertWhy } from './alert-why.js';
import { mayChange, type AlertAction } from './may-change.js';
import type { Alert } from './patch-alerts.js';
import { useAlertRights, useChangeAlert } from './use-alert-acts.js';
import { useSilence } from './use-silence.js';
import styles from './alerts.module.css';

export interface AlertPanelProps {
  id: string;
  tab: PanelTab;
  onTab: (tab: PanelTab | undefined) => void;
  /** The rows of the list, for the next and the previous one. */
  ids: readonly string[];
  onOpen: (id: string) => void;
  pickLabel: (label: string) => void;
  picked: readonly string[];
}

/** Everything about one alert. */
export function AlertPanel({ id, tab, onTab, ids, onOpen, pickLabel, picked }: AlertPanelProps) {
  const can = useCan();
  const alert = useQuery(read('getAlert', { path: { id } }));
  const step = (by: 1 | -1): void => {
    const next = ids[ids.indexOf(id) + by];
    if (ids.includes(id) && next !== undefined) onOpen(next);
  };
  useShortcuts(texts.alerts.name, [
    { keys: 'j', label: texts.alerts.next, run: () => step(1) },
    { keys: 'k', label: texts.alerts.previous, run: () => step(-1) },
  ]);
  if (alert.isPending) return <RowsSkeleton rows={10} />;
  if (cannotShow(alert)) return <ErrorState error={alert.error} retry={() => void alert.refetch()} />;
  const shown = panelTabs.filter((name) => name !== 'request' || can('listIntegrationRequests'));
  return (
    <article>
      <Head alert={alert.data} />
      <Tabs
        value={tab}
        onChange={(next) => onTab(next === 'overview' ? undefined : (next as PanelTab))}
        mt="md"
        keepMounted={false}
      >
        <Tabs.List aria-label={texts.alerts.tabsOf}>
          {shown.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.alerts.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="overview">
          <AlertOverview alert={alert.data} pickLabel={pickLabel} picked={picked} onOpen={onOpen} />
        </Tabs.Panel>
        <Tabs.Panel value="timeline">
          <AlertTimeline id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="why">
          <AlertWhy id={id} />
        </Tabs.Panel>
        <Tabs.Panel value="request">
          <AlertRequest alert={alert.data} />
        </Tabs.Panel>
      </Tabs>
    </article>
  );
}

/** What it is, and what can be done about it. */
function Head({ alert }: { alert: Alert }) {
  const { severity, status, title } = alert;
  const { canChange, canSilence } = useAlertRights();
  const silence = useSilence();
  const change = useChangeAlert();
  const [noting, setNoting] = useState<AlertAction | null>(null);
  const offered = (['acknowledge', 'resolve', 'unacknowledge'] as const).filter((action) => mayChange(action, alert));
  return (
    <header className={styles.head}>
      <div className={styles.marks}>
        <SeverityMark severity={severity} />
        <StatusMark status={status} />
        <CopyButton value={location.href} label={texts.alerts.copyLink} />
      </div>
      <h2 className={styles.heading} dir="auto">
        {title}
      </h2>
      <div className={styles.acts}>
        {canChange &&
          offered.map((action, i) => (
            <Button key={action} variant={i === 0 ? 'filled' : 'default'} onClick={() => void change(action, alert)}>
              {texts.alerts[action]}
            </Button>
          ))}
        {canChange && offered.length > 0 && (
          <Menu position="bottom-start">
            <Menu.Target>
              <Button variant="default" rightSection={<ChevronDownIcon aria-hidden />}>
                {texts.alerts.withNote}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              {offered.map((action) => (
                <Menu.Item key={action} onClick={() => setNoting(action)}>
                  {texts.alerts[action]}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
        <AlertMoreActs alert={alert} />
        {canSilence && status !== 'resolved' && (
          <Button variant="default" onClick={() => silence(alert)}>
            {texts.alerts.silence}
          </Button>
        )}
      </div>
      {noting !== null && (
        <NoteForm
          title={texts.alerts[noting]}
          label={texts.alerts.note}
          placeholder={texts.alerts.noteText}
          action={texts.alerts[noting]}
          onClose={() => setNoting(null)}
          send={(note) => change(noting, alert, note)}
        />
      )}
    </header>
  );
}
