import { useSession } from '../app/session.js';
import { texts } from '../texts/texts.js';
import type { Column } from '../ui/data-list.js';
import { useMemberNames } from '../ui/member-name.js';
import { RelativeTime } from '../ui/relative-time.js';
import { SeverityMark } from '../ui/severity-mark.js';
import { StatusMark } from '../ui/status-mark.js';
import { holdersOf } from '../now/open-incident.js';
import type { Incident } from './use-update-incident.js';
import phone from '../ui/phone-row.module.css';
import styles from './incidents.module.css';

/** Who works on an incident, in words. */
export function useHolderText(): (incident: Incident) => string {
  const nameOf = useMemberNames();
  const me = useSession().member.id;
  return (incident) => {
    const holders = holdersOf(incident);
    if (holders.kind === 'nobody') return texts.incidents.nobody;
    const by = incident.acknowledgedBy;
    const names =
      holders.kind === 'members'
        ? holders.ids.map(nameOf)
        : [by?.type === 'user' && by.id === me ? texts.ui.you : holders.name];
    const isOneOther = names.length === 1 && names[0] !== texts.ui.you;
    return isOneOther ? texts.incidents.hasIt(names.join(', ')) : texts.incidents.haveIt(names.join(', '));
  };
}

export function useIncidentColumns(): Column<Incident>[] {
  const holderOf = useHolderText();
  return [
    { id: 'number', title: texts.incidents.number, width: '3rem', cell: ({ number }) => `#${number}` },
    {
      id: 'severity',
      title: texts.incidents.severity,
      width: '5.5rem',
      cell: ({ severity }) => <SeverityMark severity={severity} />,
    },
    {
      id: 'title',
      title: texts.incidents.name,
      width: 'minmax(0, 3fr)',
      cell: ({ title, status }) => (
        <bdi className={styles.title} data-status={status} title={title}>
          {title}
        </bdi>
      ),
    },
    {
      id: 'holder',
      title: texts.incidents.holder,
      width: 'minmax(0, 2fr)',
      cell: (incident) =>
        incident.status !== 'resolved' && (
          <bdi className={styles.holder} data-nobody={holdersOf(incident).kind === 'nobody' || undefined}>
            {holderOf(incident)}
          </bdi>
        ),
    },
    {
      id: 'alertCount',
      title: texts.incidents.alertCount,
      width: '6rem',
      cell: ({ alertCount, openAlertCount }) =>
        alertCount > 0 && texts.incidents.openAlerts(openAlertCount, alertCount),
    },
    {
      id: 'status',
      title: texts.incidents.status,
      width: '7.25rem',
      cell: ({ status }) => <StatusMark status={status} />,
    },
    {
      id: 'triggeredAt',
      title: texts.incidents.triggeredAt,
      width: '4.5rem',
      cell: ({ triggeredAt }) => <RelativeTime at={triggeredAt} />,
    },
  ];
}

/** Two lines: what it is; how it stands and who has it. */
export function IncidentPhoneRow({ incident }: { incident: Incident }) {
  const holderOf = useHolderText();
  const { number, severity, title, status, triggeredAt } = incident;
  return (
    <span className={phone.row}>
      <span className={phone.title}>
        <SeverityMark severity={severity} compact />
        <bdi className={styles.title} data-status={status}>
          #{number} {title}
        </bdi>
      </span>
      <span className={phone.facts}>
        <StatusMark status={status} />
        <RelativeTime at={triggeredAt} />
        {status !== 'resolved' && <bdi>{holderOf(incident)}</bdi>}
      </span>
    </span>
  );
}
