import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { cannotShow, read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { EmptyState } from '../ui/empty-state.js';
import { LinkedText } from '../ui/linked-text.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PanelSection } from '../ui/panel-section.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { IncidentAlerts } from './incident-alerts.js';
import { IncidentHead } from './incident-head.js';
import { IncidentNext } from './incident-next.js';
import { IncidentTimeline } from './incident-timeline.js';
import { IncidentTold } from './incident-told.js';
import { incidentRoute } from './incidents.routes.js';
import styles from './incidents.module.css';

/** An incident as a story: what is broken, who has it, what comes next, and what happened so far. */
export function IncidentPage() {
  const { number } = incidentRoute.useParams();
  const isId = !/^\d{1,9}$/.test(number);
  const found = useQuery({ ...read('listIncidents', { query: { number: [number] } }), enabled: !isId });
  const id = isId ? number : found.data?.[0]?.id;
  if (cannotShow(found)) return <PageError list="/incidents" found={found} />;
  if (found.isSuccess && id === undefined) {
    return (
      <>
        <PageHeader title={texts.incidents.title} />
        <EmptyState
          title={texts.incidents.notFound(number)}
          action={
            <Button component={Link} to="/incidents">
              {texts.incidents.toList}
            </Button>
          }
        />
      </>
    );
  }
  return id === undefined ? <PageSkeleton /> : <Story id={id} />;
}

function Story({ id }: { id: string }) {
  const can = useCan();
  const incident = useQuery(read('getIncident', { path: { id } }));
  if (incident.isPending) return <PageSkeleton />;
  if (cannotShow(incident)) return <PageError list="/incidents" found={incident} />;
  const { summary } = incident.data;
  return (
    <>
      <IncidentHead incident={incident.data} />
      <div className={styles.story}>
        <div className={styles.now}>
          <IncidentNext incident={incident.data} />
          {can('listNotifications') && <IncidentTold incident={incident.data} />}
        </div>
        <div className={styles.past}>
          {summary !== null && summary !== '' && (
            <PanelSection heading="h2" title={texts.incidents.summary}>
              <LinkedText text={summary} />
            </PanelSection>
          )}
          <IncidentAlerts incident={incident.data} />
          <IncidentTimeline incident={incident.data} />
        </div>
      </div>
    </>
  );
}
