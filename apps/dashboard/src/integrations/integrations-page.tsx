import { Select } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Item } from '../api/operation-types.js';
import { texts } from '../texts/texts.js';
import { ListPage } from '../ui/list-page.js';
import { RecordList } from '../ui/record-list.js';
import { RelativeTime } from '../ui/relative-time.js';
import { ToneMark } from '../ui/tone-mark.js';
import { integrationsRoute } from './integrations.routes.js';
import { senderOf } from './senders.js';
import { TypeMark } from './type-mark.js';
import phone from '../ui/phone-row.module.css';
import styles from './integrations.module.css';

type Integration = Item<'listIntegrations'>;

export function IntegrationsPage() {
  const { q, type, enabled } = integrationsRoute.useSearch();
  const navigate = integrationsRoute.useNavigate();
  const said = texts.integrations;
  const filter = (change: { q?: string | undefined; type?: undefined; enabled?: typeof enabled | undefined }): void =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  const isFiltered = q !== undefined || type !== undefined || enabled !== undefined;
  return (
    <ListPage
      title={said.title}
      create={{ operation: 'createIntegration', label: texts.newRecords.createIntegration, to: '/integrations/new' }}
      search={{ label: said.search, value: q, onChange: (next) => filter({ q: next }) }}
      filters={
        <Select
          size="xs"
          aria-label={texts.integrations.filterState}
          placeholder={texts.integrations.filterState}
          clearable
          value={enabled ?? null}
          onChange={(next) => filter({ enabled: (next as typeof enabled) ?? undefined })}
          data={[
            { value: 'true', label: texts.integrations.enabled },
            { value: 'false', label: texts.integrations.disabled },
          ]}
        />
      }
      empty={{
        title: said.empty,
        hint: said.emptyHint,
        filtered: said.emptyFiltered,
        clear: isFiltered ? () => filter({ q: undefined, type: undefined, enabled: undefined }) : undefined,
      }}
    >
      {(empty) => (
        <RecordList
          operation="listIntegrations"
          label={texts.integrations.title}
          query={{ q, type: type as Integration['type'][], enabled }}
          onOpen={(id) => void navigate({ to: '/integrations/$id', params: { id }, search: {} })}
          empty={empty}
          phoneRow={(row) => (
            <>
              <Name row={row} />
              <div className={phone.facts}>
                <span>{senderOf(row.type).name}</span>
                <State row={row} />
              </div>
            </>
          )}
          columns={[
            {
              id: 'name',
              title: texts.integrations.name,
              width: 'minmax(0, 2fr)',
              cell: (row) => <Name row={row} />,
            },
            {
              id: 'type',
              title: texts.integrations.type,
              width: 'minmax(0, 1fr)',
              cell: ({ type: sender }) => senderOf(sender).name,
            },
            {
              id: 'state',
              title: texts.integrations.state,
              width: '9rem',
              cell: (row) => <State row={row} />,
            },
            {
              id: 'lastEvent',
              title: texts.integrations.lastEvent,
              width: '7rem',
              cell: ({ lastEventAt }) => <RelativeTime at={lastEventAt} />,
            },
          ]}
        />
      )}
    </ListPage>
  );
}

const Name = ({ row: { id, name, type } }: { row: Integration }) => (
  <span className={styles.name}>
    <TypeMark type={type} size={20} />
    <Link to="/integrations/$id" params={{ id }} className={styles.link}>
      <bdi>{name}</bdi>
    </Link>
  </span>
);

function State({ row: { enabled, lastEventAt, rateLimited } }: { row: Integration }) {
  if (!enabled) return <ToneMark tone="neutral">{texts.integrations.disabled}</ToneMark>;
  if (rateLimited.count > 0) {
    return (
      <span title={texts.integrations.limitedHint}>
        <ToneMark tone="waiting">{texts.integrations.limited(rateLimited.count)}</ToneMark>
      </span>
    );
  }
  if (lastEventAt === null) return <ToneMark tone="waiting">{texts.integrations.quiet}</ToneMark>;
  return <ToneMark tone="good">{texts.integrations.enabled}</ToneMark>;
}
