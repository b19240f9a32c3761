import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { all, read } from '../api/queries.js';
import type { Item } from '../api/operation-types.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { RecordList } from '../ui/record-list.js';
import { NewPolicyDialog } from './new-policy-dialog.js';
import { policiesRoute } from './policies.routes.js';

type Policy = Item<'listEscalationPolicies'>;

export function PoliciesPage() {
  const { q, team } = policiesRoute.useSearch();
  const navigate = policiesRoute.useNavigate();
  const can = useCan();
  const [isCreating, setIsCreating] = useState(false);
  const teams = useQuery({ ...all('listTeams'), enabled: can('listTeams') });
  const organization = useQuery({ ...read('getOrganization'), enabled: can('getOrganization') });
  const teamsOf = ({ id }: Policy): string =>
    [
      ...(organization.data?.catchAllPolicyId === id ? [texts.policies.catchAll] : []),
      ...(teams.data ?? []).filter(({ policyId }) => policyId === id).map(({ name }) => name),
    ].join(', ');
  const search = (next: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, q: next }), replace: true });
  return (
    <>
      <ListPage
        title={texts.policies.title}
        create={{ operation: 'createEscalationPolicy', label: texts.policies.create, to: () => setIsCreating(true) }}
        actions={
          can('simulate') && (
            <LinkButton to="/routing" variant="default">
              {texts.app.whoWouldBePaged}
            </LinkButton>
          )
        }
        search={{ label: texts.policies.search, value: q, onChange: search }}
        empty={{
          title: texts.policies.empty,
          hint: texts.policies.emptyHint,
          clear: q === undefined ? undefined : () => search(undefined),
        }}
      >
        {(empty) => (
          <RecordList
            operation="listEscalationPolicies"
            label={texts.policies.title}
            query={{ q, teamId: team === undefined ? undefined : [team] }}
            onOpen={(id) => void navigate({ to: '/policies/$id', params: { id } })}
            empty={empty}
            columns={[
              {
                id: 'name',
                title: texts.policies.name,
                width: 'minmax(0, 1fr)',
                cell: ({ id, name }) => (
                  <Link to="/policies/$id" params={{ id }}>
                    <bdi>{name}</bdi>
                  </Link>
                ),
              },
              {
                id: 'levels',
                title: texts.policies.levels,
                width: '11rem',
                cell: (policy) => texts.policies.shape(policy.levels.length, policy.repeat),
              },
              {
                id: 'teams',
                title: texts.policies.usedBy,
                width: 'minmax(0, 1fr)',
                cell: (policy) => <bdi>{teamsOf(policy)}</bdi>,
              },
            ]}
            phoneRow={(policy) => (
              <>
                <bdi>{policy.name}</bdi>
                <br />
                <small>{texts.policies.shape(policy.levels.length, policy.repeat)}</small>
              </>
            )}
          />
        )}
      </ListPage>
      {isCreating && <NewPolicyDialog close={() => setIsCreating(false)} />}
    </>
  );
}
