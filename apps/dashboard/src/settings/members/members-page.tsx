import { Button, MultiSelect } from '@mantine/core';
import { useTestData } from '../../app/environment.js';
import { useCan, useSession } from '../../app/session.js';
import type { Item } from '../../api/operation-types.js';
import { texts } from '../../texts/texts.js';
import { EmptyState } from '../../ui/empty-state.js';
import { RecordList } from '../../ui/record-list.js';
import { SearchField } from '../../ui/search-field.js';
import { ToneMark } from '../../ui/tone-mark.js';
import { SectionBar } from '../section-bar.js';
import { membersRoute } from '../settings.routes.js';
import { InviteDrawer } from './invite-drawer.js';
import { MemberDrawer } from './member-drawer.js';
import phone from '../../ui/phone-row.module.css';
import styles from '../settings.module.css';

export type Member = Item<'listMembers'>;
export const roleNames = ['owner', 'admin', 'responder', 'viewer'] as const;
const statusNames = ['active', 'invited', 'disabled'] as const;

export function MembersPage() {
  const search = membersRoute.useSearch();
  const { q, role, status, member, invite } = search;
  const navigate = membersRoute.useNavigate();
  const can = useCan();
  const isTest = useTestData();
  const said = texts.members;
  const change = (next: Partial<typeof search>): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: next.q !== undefined });
  return (
    <>
      <SectionBar
        title={said.title}
        actions={
          can('inviteMember') && !isTest && <Button onClick={() => change({ invite: 'new' })}>{said.invite}</Button>
        }
      >
        <SearchField label={said.search} value={q} onChange={(next) => change({ q: next })} />
        <MultiSelect
          size="xs"
          aria-label={said.role}
          placeholder={role === undefined ? said.role : undefined}
          value={role ?? []}
          onChange={(next) => change({ role: next.length === 0 ? undefined : next })}
          data={roleNames.map((value) => ({ value, label: said.roles[value] }))}
        />
        <MultiSelect
          size="xs"
          aria-label={said.status}
          placeholder={status === undefined ? said.status : undefined}
          value={status ?? []}
          onChange={(next) => change({ status: next.length === 0 ? undefined : next })}
          data={statusNames.map((value) => ({ value, label: said.statuses[value] }))}
        />
      </SectionBar>
      {isTest && can('updateMember') && <p className={styles.note}>{said.liveOnly}</p>}
      <div className={styles.list}>
        <RecordList
          operation="listMembers"
          label={said.title}
          query={{ q, role: role as Member['role'][], status: status as Member['status'][] }}
          onOpen={(id) => change({ member: id })}
          empty={<EmptyState title={said.emptyFiltered} />}
          phoneRow={(row) => (
            <>
              <Name row={row} />
              <div className={phone.facts}>
                {said.roles[row.role]}
                <Status row={row} />
              </div>
            </>
          )}
          columns={[
            { id: 'name', title: said.name, width: 'minmax(0, 1fr)', cell: (row) => <Name row={row} /> },
            { id: 'email', title: said.email, width: 'minmax(0, 1.2fr)', cell: ({ email }) => <bdi>{email}</bdi> },
            { id: 'role', title: said.role, width: '7rem', cell: (row) => said.roles[row.role] },
            { id: 'status', title: said.status, width: '11rem', cell: (row) => <Status row={row} /> },
          ]}
        >
          {() => (
            <>
              <MemberDrawer id={member} onClose={() => change({ member: undefined })} />
              <InviteDrawer isOpen={invite !== undefined} onClose={() => change({ invite: undefined })} />
            </>
          )}
        </RecordList>
      </div>
    </>
  );
}

function Name({ row: { id, name } }: { row: Member }) {
  const { member } = useSession();
  return (
    <>
      <bdi>{name}</bdi> {id === member.id && <span className={styles.dimmed}>({texts.members.you})</span>}
    </>
  );
}

const tones = { active: 'neutral', invited: 'waiting', disabled: 'bad' } as const;

export const Status = ({ row: { status, isOnCall } }: { row: Pick<Member, 'status' | 'isOnCall'> }) => (
  <>
    <ToneMark tone={tones[status]}>{texts.members.statuses[status]}</ToneMark>{' '}
    {isOnCall && <ToneMark tone="good">{texts.members.onCall}</ToneMark>}
  </>
);
