import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { ActorName } from '../ui/actor-name.js';
import { CopyButton } from '../ui/copy-button.js';
import { ExactTime } from '../ui/exact-time.js';
import { Facts } from '../ui/facts.js';
import { LabelChips } from '../ui/label-chips.js';
import { hrefOf } from '../ui/links.js';
import { LinkedText } from '../ui/linked-text.js';
import { RelativeTime } from '../ui/relative-time.js';
import { PanelSection } from '../ui/panel-section.js';
import { useNames } from './alert-facets.js';
import type { Alert } from './patch-alerts.js';
import styles from './alerts.module.css';

export interface AlertOverviewProps {
  alert: Alert;
  pickLabel: (label: string) => void;
  picked: readonly string[];
  onOpen: (id: string) => void;
}

export function AlertOverview({ alert, pickLabel, picked, onOpen }: AlertOverviewProps) {
  const { description, labels, annotations, suppression } = alert;
  const notes = Object.entries(annotations).sort(([a], [b]) => (a < b ? -1 : 1));
  return (
    <>
      {suppression !== null && (
        <p className={styles.hidden}>
          {texts.alerts.hidden}
          {suppression.until !== null && (
            <>
              {' '}
              {texts.alerts.hiddenUntil} <ExactTime at={suppression.until} />
            </>
          )}
        </p>
      )}
      {description !== null && description !== '' && (
        <PanelSection title={texts.alerts.description}>
          <LinkedText text={description} />
        </PanelSection>
      )}
      <PanelSection title={texts.alerts.labels}>
        {Object.keys(labels).length === 0 ? (
          <p className={styles.dimmed}>{texts.alerts.noLabels}</p>
        ) : (
          <LabelChips labels={labels} onPick={pickLabel} picked={picked} />
        )}
      </PanelSection>
      {notes.length > 0 && (
        <PanelSection title={texts.alerts.annotations}>
          <Facts facts={notes.map(([name, value]) => [name, <Annotation key={name} value={value} />])} />
        </PanelSection>
      )}
      <PanelSection title={texts.alerts.facts}>
        <AlertFacts alert={alert} onOpen={onOpen} />
      </PanelSection>
    </>
  );
}

/** An address as a link; any other text as text. */
function Annotation({ value }: { value: string }) {
  const href = hrefOf(value);
  if (href === null) return <LinkedText text={value} />;
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" className={styles.link}>
      {value}
    </a>
  );
}

function AlertFacts({ alert, onOpen }: { alert: Alert; onOpen: (id: string) => void }) {
  const nameOf = useNames();
  const { clientId, integrationId, assigneeId, source, previousAlertId, fingerprintSource } = alert;
  const { acknowledgedAt, acknowledgedBy, resolvedAt, resolvedBy, resolveReason } = alert;
  return (
    <Facts
      facts={[
        [texts.alerts.incident, alert.incidentId !== null && <IncidentLink id={alert.incidentId} />],
        [
          texts.alerts.occurredLabel,
          <>
            {texts.alerts.occurred(alert.occurrenceCount)}, <RelativeTime at={alert.lastOccurredAt} />
          </>,
        ],
        [texts.alerts.first, <ExactTime at={alert.firstOccurredAt} />],
        [texts.alerts.last, <ExactTime at={alert.lastOccurredAt} />],
        [
          texts.alerts.acknowledgedBy,
          acknowledgedAt !== null && (
            <>
              <ActorName actor={acknowledgedBy} />, <ExactTime at={acknowledgedAt} />
            </>
          ),
        ],
        [
          texts.alerts.resolvedBy,
          resolvedAt !== null && (
            <>
              <ActorName actor={resolvedBy} />, <ExactTime at={resolvedAt} />
              {resolveReason !== null && ` (${texts.alerts.reasons[resolveReason]})`}
            </>
          ),
        ],
        [texts.alerts.assignee, <bdi>{assigneeId === null ? texts.alerts.nobody : nameOf('member', assigneeId)}</bdi>],
        [texts.alerts.client, clientId !== null && <bdi>{nameOf('client', clientId)}</bdi>],
        [texts.alerts.integration, integrationId !== null && <bdi>{nameOf('integration', integrationId)}</bdi>],
        [texts.alerts.source, source !== null && <bdi>{source}</bdi>],
        [
          texts.alerts.fingerprint,
          <>
            <code className={styles.code}>{alert.fingerprint}</code> <CopyButton value={alert.fingerprint} />
            {fingerprintSource === 'generated' && (
              <span className={styles.dimmed}> {texts.alerts.fingerprintGenerated}</span>
            )}
          </>,
        ],
        [
          texts.alerts.previousAlert,
          previousAlertId !== null && (
            <button type="button" className={styles.link} onClick={() => onOpen(previousAlertId)}>
              {texts.alerts.previousAlertLink}
            </button>
          ),
        ],
      ]}
    />
  );
}

function IncidentLink({ id }: { id: string }) {
  const can = useCan();
  const incident = useQuery({ ...read('getIncident', { path: { id } }), enabled: can('getIncident') });
  if (incident.data === undefined) return <span className={styles.dimmed}>{id}</span>;
  const { number, title } = incident.data;
  return (
    <Link to="/incidents/$number" params={{ number: String(number) }} className={styles.link}>
      <bdi>{texts.alerts.incidentNumber(number, title)}</bdi>
    </Link>
  );
}
