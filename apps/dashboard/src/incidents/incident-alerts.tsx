import { Button } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { list, rowsOf } from '../api/queries.js';
import { mayChange } from '../alerts/may-change.js';
import type { Alert } from '../alerts/patch-alerts.js';
import { useAlertRights, useChangeAlert } from '../alerts/use-alert-acts.js';
import { texts } from '../texts/texts.js';
import { ErrorState } from '../ui/error-state.js';
import { RelativeTime } from '../ui/relative-time.js';
import { PanelSection } from '../ui/panel-section.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { StatusMark } from '../ui/status-mark.js';
import type { Incident } from './use-update-incident.js';
import styles from './incidents.module.css';

const said = texts.incidents.alerts;

/** The alerts of the incident, each with what can be done about it. */
export function IncidentAlerts({ incident: { id, alertCount, openAlertCount } }: { incident: Incident }) {
  const alerts = useInfiniteQuery(list('listIncidentAlerts', {}, { id }));
  const rows = rowsOf(alerts.data);
  return (
    <PanelSection
      heading="h2"
      title={said.title}
      aside={
        alertCount > 0 && (
          <span className={styles.dimmed}>{texts.incidents.openAlerts(openAlertCount, alertCount)}</span>
        )
      }
    >
      {alerts.isPending && <RowsSkeleton rows={3} />}
      {alerts.isError && <ErrorState error={alerts.error} retry={() => void alerts.refetch()} />}
      {alerts.isSuccess && rows.length === 0 && <p className={styles.dimmed}>{said.none}</p>}
      <ul className={styles.alerts} aria-label={said.title}>
        {rows.map((alert) => (
          <AlertLine key={alert.id} alert={alert} />
        ))}
      </ul>
      {alerts.hasNextPage && (
        <Button variant="subtle" loading={alerts.isFetchingNextPage} onClick={() => void alerts.fetchNextPage()}>
          {texts.ui.older}
        </Button>
      )}
    </PanelSection>
  );
}

function AlertLine({ alert }: { alert: Alert }) {
  const { canChange } = useAlertRights();
  const change = useChangeAlert();
  const { id, severity, title, status, lastOccurredAt } = alert;
  return (
    <li className={styles.alert}>
      <SeverityMark severity={severity} compact />
      <Link to="/alerts" search={{ alert: id }} className={styles.alertTitle}>
        <bdi>{title}</bdi>
      </Link>
      <StatusMark status={status} />
      <span className={styles.when}>
        <RelativeTime at={lastOccurredAt} />
      </span>
      <span className={styles.alertActs}>
        {canChange &&
          (['acknowledge', 'resolve'] as const).map(
            (action) =>
              mayChange(action, alert) && (
                <Button
                  key={action}
                  variant="subtle"
                  aria-label={`${said[action]} ${said.of(title)}`}
                  onClick={() => void change(action, alert)}
                >
                  {said[action]}
                </Button>
              ),
          )}
      </span>
    </li>
  );
}
