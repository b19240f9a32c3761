import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Data } from '../../api/operation-types.js';
import { read } from '../../api/queries.js';
import { useAct } from '../../api/use-act.js';
import { useTestData } from '../../app/environment.js';
import { useCan, useSession } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { DeleteButton } from '../../ui/delete-button.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { ErrorState } from '../../ui/error-state.js';
import { ExactTime } from '../../ui/exact-time.js';
import { Facts } from '../../ui/facts.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { Status } from './members-page.js';
import { canChange } from './role-choices.js';
import { RoleSelect } from './role-select.js';
import formStyles from '../../ui/form.module.css';

type Member = Data<'getMember'>;

const changes = ['listMembers', 'getMember', 'getCurrentOnCall'] as const;

/** A member, and what may be changed about them. */
export function MemberDrawer({ id, onClose }: { id: string | undefined; onClose: () => void }) {
  const found = useQuery({ ...read('getMember', { path: { id: id ?? '' } }), enabled: id !== undefined });
  return (
    <DetailDrawer
      title={<bdi>{found.data?.name ?? texts.members.title}</bdi>}
      open={id !== undefined}
      onClose={onClose}
    >
      {found.isError && <ErrorState error={found.error} retry={() => void found.refetch()} />}
      {found.isPending && <RowsSkeleton rows={5} />}
      {found.data !== undefined && <Detail member={found.data} onDeleted={onClose} />}
    </DetailDrawer>
  );
}

interface DetailProps {
  member: Member;
  onDeleted: () => void;
}

function Detail({ member, onDeleted }: DetailProps) {
  const said = texts.members;
  const can = useCan();
  const { scopes } = useSession();
  const isTest = useTestData();
  const mayChange = can('updateMember') && !isTest && canChange(scopes, member.role);
  return (
    <>
      <Facts
        facts={[
          [said.status, <Status row={member} />],
          [said.email, <bdi>{member.email}</bdi>],
          [said.role, !mayChange && said.roles[member.role]],
          [said.timezone, member.timezone],
          [said.contacts, <Contacts member={member} />],
          [said.externalId, member.externalId !== null && <bdi>{member.externalId}</bdi>],
          [said.created, <ExactTime at={member.createdAt} />],
        ]}
      />
      {mayChange && <Acts member={member} onDeleted={onDeleted} />}
    </>
  );
}

const Contacts = ({ member: { contactMethods } }: { member: Member }) =>
  contactMethods.map(({ type, address, verified }) => (
    <div key={`${type} ${address}`}>
      <bdi>{address}</bdi> ({verified ? texts.members.verified : texts.members.notVerified})
    </div>
  ));

function Acts({ member: { id, name, email, role, status }, onDeleted }: DetailProps) {
  const said = texts.members;
  const can = useCan();
  const { member: me } = useSession();
  const onError = (error: unknown): void => notifyFailed(said.changeFailed(name), error);
  const update = useAct('updateMember', { changes, onError });
  const resend = useAct('sendInvitation', { onSuccess: () => notifyDone(said.invited(email)), onError });
  const enable = useAct('enableMember', { changes, onSuccess: () => notifyDone(said.enabled(name)), onError });
  const disable = useAct('disableMember', {
    changes,
    onSuccess: () => notifyDone(said.disabled(name), () => enable.mutate({ path: { id } })),
    onError,
  });
  const give = (next: typeof role, before: typeof role): void =>
    update.mutate(
      { path: { id }, body: { role: next } },
      { onSuccess: () => notifyDone(said.roleChanged(name, said.roles[next]), () => give(before, next)) },
    );
  return (
    <div className={formStyles.form}>
      <RoleSelect value={role} onChange={(next) => next !== role && give(next, role)} />
      <div className={formStyles.buttons}>
        {status === 'invited' && can('sendInvitation') && (
          <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate({ path: { id } })}>
            {said.resend}
          </Button>
        )}
        {status === 'disabled' && can('enableMember') && (
          <Button loading={enable.isPending} onClick={() => enable.mutate({ path: { id } })}>
            {said.enable}
          </Button>
        )}
        {status !== 'disabled' && id !== me.id && can('disableMember') && (
          <ConfirmButton
            variant="outline"
            color="red"
            loading={disable.isPending}
            question={{
              title: said.disableQuestion(name),
              text: said.disableText,
              action: said.disable,
              run: () => disable.mutate({ path: { id } }),
            }}
          />
        )}
        {id !== me.id && (
          <DeleteButton
            operation="deleteMember"
            id={id}
            changes={['listMembers', 'getCurrentOnCall']}
            question={said.remove.question(name)}
            text={said.remove.text}
            done={said.remove.done(name)}
            notDone={said.remove.failed(name)}
            onDeleted={onDeleted}
          />
        )}
      </div>
    </div>
  );
}
