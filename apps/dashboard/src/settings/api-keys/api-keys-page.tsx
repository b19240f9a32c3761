import type { Item } from '../../api/operation-types.js';
import { useZone } from '../../app/zone.js';
import { texts } from '../../texts/texts.js';
import { ActorName } from '../../ui/actor-name.js';
import { ExactTime } from '../../ui/exact-time.js';
import { ListEmpty } from '../../ui/list-empty.js';
import { useNewRecord } from '../../ui/new-record.js';
import { useNow } from '../../ui/now.js';
import { RecordList } from '../../ui/record-list.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { SearchField } from '../../ui/search-field.js';
import { shortTime } from '../../ui/time.js';
import { ToneMark } from '../../ui/tone-mark.js';
import { ApiKeyDrawer } from './api-key-drawer.js';
import { SectionBar } from '../section-bar.js';
import { apiKeysRoute } from '../settings.routes.js';
import phone from '../../ui/phone-row.module.css';
import styles from '../settings.module.css';

export type ApiKey = Item<'listApiKeys'>;

export function ApiKeysPage() {
  const { q, key } = apiKeysRoute.useSearch();
  const navigate = apiKeysRoute.useNavigate();
  const show = (id: string | undefined): void => void navigate({ search: (before) => ({ ...before, key: id }) });
  const create = useNewRecord(texts.apiKeys.title, {
    operation: 'createApiKey',
    label: texts.newRecords.createApiKey,
    to: '/settings/api-keys/new',
  });
  const search = (next: string | undefined): void => void navigate({ search: { q: next }, replace: true });
  return (
    <>
      <SectionBar title={texts.apiKeys.title} actions={create}>
        <SearchField label={texts.apiKeys.search} value={q} onChange={search} />
      </SectionBar>
      <div className={styles.list}>
        <RecordList
          operation="listApiKeys"
          label={texts.apiKeys.title}
          query={{ q }}
          onOpen={show}
          empty={
            <ListEmpty
              title={texts.apiKeys.empty}
              hint={texts.apiKeys.emptyHint}
              action={create}
              filtered={texts.apiKeys.emptyFiltered}
              clear={q === undefined ? undefined : () => search(undefined)}
            />
          }
          phoneRow={(row) => (
            <>
              <bdi className={styles.cut}>{row.name}</bdi>
              <div className={phone.facts}>
                <code>{row.keyPrefix}…</code>
                <LastUsed row={row} />
                <PhoneExpiry row={row} />
              </div>
            </>
          )}
          columns={[
            {
              id: 'name',
              title: texts.apiKeys.name,
              width: 'minmax(7rem, 1fr)',
              cell: ({ name }) => <bdi>{name}</bdi>,
            },
            {
              id: 'prefix',
              title: texts.apiKeys.prefix,
              width: '8.5rem',
              cell: ({ keyPrefix }) => <code>{keyPrefix}…</code>,
            },
            {
              id: 'scopes',
              title: texts.apiKeys.scopes,
              width: '5rem',
              cell: ({ scopes }) => texts.apiKeys.count(scopes.length),
            },
            { id: 'lastUsed', title: texts.apiKeys.lastUsed, width: '6.5rem', cell: (row) => <LastUsed row={row} /> },
            { id: 'expiry', title: texts.apiKeys.expiry, width: '9rem', cell: (row) => <Expiry row={row} /> },
            {
              id: 'createdBy',
              title: texts.apiKeys.createdBy,
              width: 'minmax(0, 1fr)',
              cell: ({ createdBy }) => <ActorName actor={createdBy} />,
            },
          ]}
        >
          {(_control, rows) => (
            <ApiKeyDrawer apiKey={rows.find(({ id }) => id === key)} onClose={() => show(undefined)} />
          )}
        </RecordList>
      </div>
    </>
  );
}

export const LastUsed = ({ row: { lastUsedAt } }: { row: ApiKey }) =>
  lastUsedAt === null ? (
    <span className={styles.dimmed}>{texts.apiKeys.notUsed}</span>
  ) : (
    <RelativeTime at={lastUsedAt} />
  );

/** Without the head of the column. */
function PhoneExpiry({ row }: { row: ApiKey }) {
  const now = useNow();
  const zone = useZone();
  if (row.expiry === null) return texts.apiKeys.expiresNever;
  if (Date.parse(row.expiry) <= now) return <Expiry row={row} />;
  return texts.apiKeys.expires(shortTime(row.expiry, zone, now));
}

export function Expiry({ row: { expiry } }: { row: ApiKey }) {
  const now = useNow();
  if (expiry === null) return <span className={styles.dimmed}>{texts.apiKeys.never}</span>;
  if (Date.parse(expiry) <= now) return <ToneMark tone="bad">{texts.apiKeys.expired}</ToneMark>;
  return <ExactTime at={expiry} />;
}
