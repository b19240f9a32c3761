import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../../texts/texts.js';
import { ActorName } from '../../ui/actor-name.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { ExactTime } from '../../ui/exact-time.js';
import { Facts } from '../../ui/facts.js';
import { Section } from '../../ui/section.js';
import { pageOf, typeText, valueText } from './audit-types.js';
import type { Entry } from './audit-log-page.js';
import formStyles from '../../ui/form.module.css';
import styles from './audit-log.module.css';

export interface EntryDrawerProps {
  entry: Entry | undefined;
  onClose: () => void;
  onFilter: (filter: { actorId?: string[]; resourceId?: string[] }) => void;
}

/** One entry: who, from where, and each field before and after. */
export const EntryDrawer = ({ entry, onClose, onFilter }: EntryDrawerProps) => (
  <DetailDrawer
    title={entry === undefined ? texts.auditLog.entry : typeText(entry.type)}
    open={entry !== undefined}
    onClose={onClose}
  >
    {entry !== undefined && <Detail entry={entry} onFilter={onFilter} />}
  </DetailDrawer>
);

function Detail({ entry, onFilter }: { entry: Entry; onFilter: EntryDrawerProps['onFilter'] }) {
  const said = texts.auditLog;
  const { occurredAt, actor, type, resource, ip, userAgent, requestId, changes } = entry;
  return (
    <>
      <Facts
        facts={[
          [said.time, <ExactTime at={occurredAt} />],
          [said.who, <ActorName actor={actor} />],
          [said.what, <code>{type}</code>],
          [said.record, resource !== null && <Record resource={resource} />],
          [said.ip, ip ?? texts.ui.unknown],
          [said.userAgent, <bdi>{userAgent ?? texts.ui.unknown}</bdi>],
          [said.requestId, <code>{requestId ?? texts.ui.unknown}</code>],
        ]}
      />
      <div className={formStyles.buttons}>
        {resource !== null && resource.id !== null && (
          <Button variant="default" onClick={() => onFilter({ resourceId: [resource.id ?? ''] })}>
            {said.onlyThis}
          </Button>
        )}
        {actor.id !== null && (
          <Button variant="default" onClick={() => onFilter({ actorId: [actor.id ?? ''] })}>
            {said.onlyWho}
          </Button>
        )}
      </div>
      <Section title={said.changes}>
        {changes.length === 0 ? <p>{said.noChanges}</p> : <Changes changes={changes} />}
      </Section>
    </>
  );
}

function Record({ resource: { type, id } }: { resource: NonNullable<Entry['resource']> }) {
  const page = id === null ? null : pageOf(type, id);
  const text = <code>{id ?? type}</code>;
  return page === null ? text : <Link to={page as '/alerts'}>{text}</Link>;
}

const Changes = ({ changes }: { changes: Entry['changes'] }) => (
  <div className={styles.changes}>
    {changes.map(({ field, before, after }, i) => (
      <div key={i} className={styles.change}>
        <code>{field}</code>
        <div>
          <span className={styles.word}>{texts.auditLog.before}</span>
          <bdi className={styles.before}>{valueText(before)}</bdi>
        </div>
        <div>
          <span className={styles.word}>{texts.auditLog.after}</span>
          <bdi className={styles.after}>{valueText(after)}</bdi>
        </div>
      </div>
    ))}
  </div>
);
