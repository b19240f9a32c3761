import { VisuallyHidden } from '@mantine/core';
import { texts } from '../texts/texts.js';
import type { Column } from '../ui/data-list.js';
import { RelativeTime } from '../ui/relative-time.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { StatusMark } from '../ui/status-mark.js';
import type { useNames } from './alert-facets.js';
import type { Alert } from './patch-alerts.js';
import { RowLabels } from './row-labels.js';
import phone from '../ui/phone-row.module.css';
import styles from './alerts.module.css';
import { numberText } from '../texts/numbers.js';

export interface ColumnsOptions {
  nameOf: ReturnType<typeof useNames>;
  pickLabel: (label: string) => void;
  picked: readonly string[];
  /** An alert is open beside the list: there is room for less. */
  isNarrow: boolean;
  /** There is room for labels and clients. */
  isWide: boolean;
}

export function alertColumns({ nameOf, pickLabel, picked, isNarrow, isWide }: ColumnsOptions): Column<Alert>[] {
  const first: Column<Alert>[] = [
    {
      id: 'severity',
      title: isNarrow ? <VisuallyHidden>{texts.alerts.severity}</VisuallyHidden> : texts.alerts.severity,
      width: isNarrow ? '1rem' : '5.5rem',
      cell: ({ severity }) => <SeverityMark severity={severity} compact={isNarrow} />,
    },
    {
      id: 'title',
      title: texts.alerts.name,
      width: 'minmax(0, 3fr)',
      cell: ({ title, status }) => (
        <bdi className={styles.title} data-status={status} title={title}>
          {title}
        </bdi>
      ),
    },
  ];
  const last: Column<Alert>[] = [
    {
      id: 'status',
      title: isNarrow ? <VisuallyHidden>{texts.alerts.status}</VisuallyHidden> : texts.alerts.status,
      width: isNarrow ? '1.75rem' : '7.25rem',
      cell: ({ status }) => <StatusMark status={status} compact={isNarrow} />,
    },
    {
      id: 'lastOccurredAt',
      title: texts.alerts.lastOccurredAt,
      width: '4.5rem',
      cell: ({ lastOccurredAt }) => <RelativeTime at={lastOccurredAt} />,
    },
  ];
  if (isNarrow) return [...first, ...last];
  const about: Column<Alert>[] = [
    {
      id: 'labels',
      title: texts.alerts.labels,
      width: 'minmax(0, 2fr)',
      cell: ({ labels }) => <RowLabels labels={labels} onPick={pickLabel} picked={picked} />,
    },
    {
      id: 'client',
      title: texts.alerts.client,
      width: 'minmax(0, 1fr)',
      cell: ({ clientId }) => clientId !== null && <bdi>{nameOf('client', clientId)}</bdi>,
    },
  ];
  return [
    ...first,
    ...(isWide ? about : []),
    {
      id: 'count',
      title: <span className={styles.number}>{texts.alerts.occurrences}</span>,
      width: '3.5rem',
      cell: ({ occurrenceCount }) => <span className={styles.number}>{numberText(occurrenceCount)}</span>,
    },
    ...last,
  ];
}

/** Two lines: what it is, and how it stands. */
export const AlertPhoneRow = ({
  alert: { severity, title, status, lastOccurredAt, occurrenceCount },
}: {
  alert: Alert;
}) => (
  <span className={phone.row}>
    <span className={phone.title}>
      <SeverityMark severity={severity} compact />
      <bdi className={styles.title} data-status={status}>
        {title}
      </bdi>
    </span>
    <span className={phone.facts}>
      <StatusMark status={status} />
      <RelativeTime at={lastOccurredAt} />
      {occurrenceCount > 1 && <span>{texts.alerts.occurred(occurrenceCount)}</span>}
    </span>
  </span>
);
