import { useQuery } from '@tanstack/react-query';
import type { Item } from '../api/operation-types.js';
import { read } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { DataList } from '../ui/data-list.js';
import { DetailDrawer } from '../ui/detail-drawer.js';
import { EmptyState } from '../ui/empty-state.js';
import { ErrorState } from '../ui/error-state.js';
import { ExactTime } from '../ui/exact-time.js';
import { RowsSkeleton } from '../ui/skeletons.js';
import { useList } from '../ui/use-list.js';
import { integrationRoute } from './integrations.routes.js';
import { RequestDetail } from './request-detail.js';
import { OutcomeMark, RequestSummary } from './request-marks.js';
import phone from '../ui/phone-row.module.css';
import styles from './integrations.module.css';

type Request = Item<'listIntegrationRequests'>;

/** The stream has no events about requests. */
const readEveryMs = 4000;

/** The query of the last payloads, which the mapping reads as well. */
export const lastRequests = (id: string) => read('listIntegrationRequests', { path: { id }, query: { limit: 100 } });

export function RequestsTab({ id }: { id: string }) {
  const said = texts.integrations.requests;
  const { request: openId } = integrationRoute.useSearch();
  const navigate = integrationRoute.useNavigate();
  const found = useQuery({ ...lastRequests(id), refetchInterval: readEveryMs });
  const rows = found.data ?? [];
  const show = (request: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, request }), replace: openId !== undefined });
  const control = useList(
    rows.map((row) => row.id),
    show,
  );
  if (found.isPending) return <RowsSkeleton rows={10} />;
  if (found.isError && rows.length === 0) return <ErrorState error={found.error} retry={() => void found.refetch()} />;
  const open = rows.find((row) => row.id === openId);
  return (
    <div className={styles.list}>
      <DataList<Request>
        label={said.label}
        rows={rows}
        control={control}
        onOpen={show}
        total={rows.length}
        empty={<EmptyState title={said.empty} hint={said.emptyHint} />}
        phoneRow={(row) => (
          <>
            <OutcomeMark outcome={row.outcome} /> <RequestSummary request={row} />
            <div className={phone.facts}>
              <ExactTime at={row.receivedAt} />
              <span>{row.status}</span>
              <span>{said.apis[row.api]}</span>
            </div>
          </>
        )}
        columns={[
          { id: 'time', title: said.time, width: '8rem', cell: ({ receivedAt }) => <ExactTime at={receivedAt} /> },
          {
            id: 'outcome',
            title: said.outcome,
            width: '6rem',
            cell: ({ outcome }) => <OutcomeMark outcome={outcome} />,
          },
          { id: 'status', title: said.status, width: '4rem', cell: ({ status }) => status },
          {
            id: 'became',
            title: said.became,
            width: 'minmax(0, 1fr)',
            cell: (row) => <RequestSummary request={row} />,
          },
          { id: 'api', title: said.api, width: '7rem', cell: ({ api }) => said.apis[api] },
        ]}
      />
      <DetailDrawer title={said.title} open={open !== undefined} onClose={() => show(undefined)}>
        {open !== undefined && <RequestDetail integrationId={id} request={open} />}
      </DetailDrawer>
    </div>
  );
}
