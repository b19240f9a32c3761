import { Button, MultiSelect, TextInput } from '@mantine/core';
import type { Item } from '../../api/operation-types.js';
import { texts } from '../../texts/texts.js';
import { ActorName } from '../../ui/actor-name.js';
import { EmptyState } from '../../ui/empty-state.js';
import { ExactTime } from '../../ui/exact-time.js';
import { RecordList } from '../../ui/record-list.js';
import { RecordChoices } from '../../ui/record-choice.js';
import { SectionBar } from '../section-bar.js';
import { auditLogRoute } from '../settings.routes.js';
import { auditTypes, typeText } from './audit-types.js';
import { EntryDrawer } from './entry-drawer.js';
import phone from '../../ui/phone-row.module.css';
import styles from '../settings.module.css';

export type Entry = Item<'listAuditLog'>;

export function AuditLogPage() {
  const { entry, env: _environment, ...filters } = auditLogRoute.useSearch();
  const navigate = auditLogRoute.useNavigate();
  const said = texts.auditLog;
  const change = (next: Partial<typeof filters> & { entry?: string | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) });
  const clear = (): void => void navigate({ search: {} });
  const isFiltered = Object.keys(filters).length > 0;
  return (
    <>
      <SectionBar
        title={said.title}
        actions={
          isFiltered && (
            <Button variant="default" onClick={clear}>
              {said.clear}
            </Button>
          )
        }
      >
        <Filters filters={filters} change={change} />
      </SectionBar>
      <div className={styles.list}>
        <RecordList
          operation="listAuditLog"
          label={said.title}
          query={queryOf(filters)}
          onOpen={(id) => change({ entry: id })}
          empty={<EmptyState title={isFiltered ? said.emptyFiltered : said.empty} />}
          phoneRow={(row) => (
            <>
              <span className={styles.cut}>{typeText(row.type)}</span>
              <div className={phone.facts}>
                <ActorName actor={row.actor} />
                <ExactTime at={row.occurredAt} />
              </div>
            </>
          )}
          columns={[
            { id: 'time', title: said.time, width: '8rem', cell: ({ occurredAt }) => <ExactTime at={occurredAt} /> },
            { id: 'who', title: said.who, width: 'minmax(0, 1fr)', cell: ({ actor }) => <ActorName actor={actor} /> },
            { id: 'what', title: said.what, width: 'minmax(0, 1.2fr)', cell: ({ type }) => typeText(type) },
            {
              id: 'changes',
              title: said.changes,
              width: 'minmax(0, 1.4fr)',
              cell: ({ changes, resource }) => (
                <bdi className={styles.dimmed}>
                  {changes.length > 0 ? changes.map(({ field }) => field).join(', ') : (resource?.id ?? '')}
                </bdi>
              ),
            },
          ]}
        >
          {(_control, rows) => (
            <EntryDrawer
              entry={rows.find(({ id }) => id === entry)}
              onClose={() => change({ entry: undefined })}
              onFilter={(next) => void navigate({ search: next })}
            />
          )}
        </RecordList>
      </div>
    </>
  );
}

interface FilterValues {
  type?: string[] | undefined;
  actorId?: string[] | undefined;
  resourceId?: string[] | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

/** A day of the address as the API takes it: its beginning, UTC. */
const queryOf = ({ since, until, ...rest }: FilterValues) => ({
  ...rest,
  since: since === undefined ? undefined : `${since}T00:00:00Z`,
  until: until === undefined ? undefined : `${until}T00:00:00Z`,
});

function Filters({ filters, change }: { filters: FilterValues; change: (next: FilterValues) => void }) {
  const said = texts.auditLog;
  const { type = [], actorId = [], resourceId, since, until } = filters;
  const some = (values: string[]): string[] | undefined => (values.length === 0 ? undefined : values);
  return (
    <>
      <MultiSelect
        size="xs"
        aria-label={said.types}
        placeholder={type.length === 0 ? said.anyType : undefined}
        searchable
        clearable
        value={type}
        onChange={(next) => change({ type: some(next) })}
        data={auditTypes.map((value) => ({ value, label: typeText(value) }))}
        w={{ base: '100%', xs: 240 }}
      />
      <RecordChoices
        noun="member"
        size="xs"
        aria-label={said.actor}
        placeholder={actorId.length === 0 ? said.anyActor : undefined}
        value={actorId}
        onChange={(next) => change({ actorId: some(next) })}
      />
      <label className={styles.day}>
        <span>{said.since}</span>
        <TextInput
          size="xs"
          type="date"
          value={since ?? ''}
          onChange={({ currentTarget }) => change({ since: currentTarget.value || undefined })}
        />
      </label>
      <label className={styles.day}>
        <span>{said.until}</span>
        <TextInput
          size="xs"
          type="date"
          value={until ?? ''}
          onChange={({ currentTarget }) => change({ until: currentTarget.value || undefined })}
        />
      </label>
      {resourceId !== undefined && (
        <Button size="xs" variant="light" onClick={() => change({ resourceId: undefined })}>
          {said.record}: {resourceId.join(', ')} ×
        </Button>
      )}
    </>
  );
}
