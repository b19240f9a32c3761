import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { ListPage } from '../ui/list-page.js';
import { RecordList } from '../ui/record-list.js';
import { RelativeTime } from '../ui/relative-time.js';
import { ToneMark } from '../ui/tone-mark.js';
import { clientsRoute } from './clients.routes.js';
import phone from '../ui/phone-row.module.css';
import styles from './clients.module.css';

export function ClientsPage() {
  const { q } = clientsRoute.useSearch();
  const navigate = clientsRoute.useNavigate();
  const said = texts.clients;
  const search = (next: string | undefined): void => void navigate({ search: { q: next }, replace: true });
  return (
    <ListPage
      title={said.title}
      create={{ operation: 'createClient', label: texts.newRecords.createClient, to: '/clients/new' }}
      search={{ label: said.search, value: q, onChange: search }}
      empty={{
        title: said.empty,
        hint: said.emptyHint,
        filtered: said.emptyFiltered,
        clear: q === undefined ? undefined : () => search(undefined),
      }}
    >
      {(empty) => (
        <RecordList
          operation="listClients"
          label={said.title}
          query={{ q }}
          onOpen={(id) => void navigate({ to: '/clients/$id', params: { id } })}
          empty={empty}
          phoneRow={(row) => (
            <>
              <Name id={row.id} name={row.name} />
              <div className={phone.facts}>
                <OpenAlerts count={row.openAlertCount} />
                {row.slug}
              </div>
            </>
          )}
          columns={[
            {
              id: 'name',
              title: said.name,
              width: 'minmax(0, 2fr)',
              cell: ({ id, name }) => <Name id={id} name={name} />,
            },
            { id: 'slug', title: said.slug, width: 'minmax(0, 1fr)', cell: ({ slug }) => <bdi>{slug}</bdi> },
            {
              id: 'openAlerts',
              title: said.openAlerts,
              width: '9rem',
              cell: ({ openAlertCount }) => <OpenAlerts count={openAlertCount} />,
            },
            {
              id: 'createdAt',
              title: said.createdAt,
              width: '7rem',
              cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
            },
          ]}
        />
      )}
    </ListPage>
  );
}

const Name = ({ id, name }: { id: string; name: string }) => (
  <Link to="/clients/$id" params={{ id }}>
    <bdi>{name}</bdi>
  </Link>
);

const OpenAlerts = ({ count }: { count: number }) =>
  count === 0 ? (
    <span className={styles.dimmed}>{texts.clients.noAlerts}</span>
  ) : (
    <ToneMark tone="bad">{texts.clients.alerts(count)}</ToneMark>
  );
