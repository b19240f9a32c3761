import { MultiSelect } from '@mantine/core';
import type { Item } from '../../api/operation-types.js';
import { useTestData } from '../../app/environment.js';
import { useCan } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { ListEmpty } from '../../ui/list-empty.js';
import { useNewRecord } from '../../ui/new-record.js';
import { RecordList } from '../../ui/record-list.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { ToneMark } from '../../ui/tone-mark.js';
import { SectionBar } from '../section-bar.js';
import { mailRecipientsRoute } from '../settings.routes.js';
import { NewRecipient } from './new-recipient.js';
import { RecipientDrawer } from './recipient-drawer.js';
import phone from '../../ui/phone-row.module.css';
import styles from '../settings.module.css';

export type MailRecipient = Item<'listMailRecipients'>;
const statusNames = ['pending', 'verified', 'bounced', 'complained'] as const;

export function MailRecipientsPage() {
  const search = mailRecipientsRoute.useSearch();
  const { status, recipient, add } = search;
  const navigate = mailRecipientsRoute.useNavigate();
  const can = useCan();
  const isTest = useTestData();
  const said = texts.mailRecipients;
  const change = (next: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }) });
  const newRecord = useNewRecord(said.title, {
    operation: 'createMailRecipient',
    label: said.add,
    to: () => change({ add: 'new' }),
  });
  const create = isTest ? null : newRecord;
  return (
    <>
      <SectionBar title={said.title} actions={create}>
        <MultiSelect
          size="xs"
          aria-label={said.status}
          placeholder={status === undefined ? said.status : undefined}
          value={status ?? []}
          onChange={(next) => change({ status: next.length === 0 ? undefined : next })}
          data={statusNames.map((value) => ({ value, label: said.statuses[value] }))}
        />
      </SectionBar>
      <p className={styles.note}>{isTest && can('createMailRecipient') ? said.liveOnly : said.hint}</p>
      {add !== undefined && !isTest && (
        <NewRecipient close={(id) => change({ add: undefined, ...(id !== undefined && { recipient: id }) })} />
      )}
      <div className={styles.list}>
        <RecordList
          operation="listMailRecipients"
          label={said.title}
          query={{ status: status as MailRecipient['status'][] }}
          onOpen={(id) => change({ recipient: id })}
          empty={
            <ListEmpty
              title={said.empty}
              hint={said.emptyHint}
              action={create}
              filtered={said.emptyFiltered}
              clear={status === undefined ? undefined : () => change({ status: undefined })}
            />
          }
          phoneRow={(row) => (
            <>
              <bdi className={styles.cut}>{row.value}</bdi>
              <div className={phone.facts}>
                {said.kinds[row.kind]}
                <Status row={row} />
              </div>
            </>
          )}
          columns={[
            { id: 'value', title: said.value, width: 'minmax(0, 1fr)', cell: ({ value }) => <bdi>{value}</bdi> },
            { id: 'kind', title: said.kind, width: '6rem', cell: ({ kind }) => said.kinds[kind] },
            { id: 'status', title: said.status, width: '8rem', cell: (row) => <Status row={row} /> },
            {
              id: 'created',
              title: said.created,
              width: '8rem',
              cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
            },
          ]}
        >
          {(_control, rows) => (
            <RecipientDrawer
              recipient={rows.find(({ id }) => id === recipient)}
              onClose={() => change({ recipient: undefined })}
            />
          )}
        </RecordList>
      </div>
    </>
  );
}

const tones = { pending: 'waiting', verified: 'good', bounced: 'bad', complained: 'bad' } as const;

export const Status = ({ row: { status } }: { row: Pick<MailRecipient, 'status'> }) => (
  <ToneMark tone={tones[status]}>{texts.mailRecipients.statuses[status]}</ToneMark>
);
