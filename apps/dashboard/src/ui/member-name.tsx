import { useQuery } from '@tanstack/react-query';
import { all } from '../api/queries.js';
import { useCan, useSession } from '../app/session.js';
import { texts } from '../texts/texts.js';

/** The names of members, by their ids. Of oneself, without asking. Whoever is not in the list was deleted. */
export function useMemberNames(): (id: string) => string {
  const { member } = useSession();
  const can = useCan();
  const { data } = useQuery({ ...all('listMembers'), enabled: can('listMembers') });
  const names = new Map(data?.map(({ id, name }) => [id, name]));
  return (id) =>
    id === member.id
      ? texts.ui.you
      : (names.get(id) ?? (data === undefined ? texts.ui.member : texts.ui.deletedMember));
}

export function MemberName({ id }: { id: string }) {
  return <bdi>{useMemberNames()(id)}</bdi>;
}
