import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { LinkButton } from '../ui/link-button.js';
import { ListPage } from '../ui/list-page.js';
import { RecordList } from '../ui/record-list.js';
import { NewTeamDialog } from './new-team-dialog.js';
import { teamsRoute } from './teams.routes.js';
import styles from './teams.module.css';

export function TeamsPage() {
  const { q } = teamsRoute.useSearch();
  const navigate = teamsRoute.useNavigate();
  const can = useCan();
  const [isCreating, setIsCreating] = useState(false);
  const policies = useQuery({ ...all('listEscalationPolicies'), enabled: can('listEscalationPolicies') });
  const policyOf = (policyId: string | null): string =>
    policyId === null
      ? texts.teams.catchAll
      : (policies.data?.find(({ id }) => id === policyId)?.name ?? texts.ui.unknown);
  const search = (next: string | undefined): void =>
    void navigate({ search: (before) => ({ ...before, q: next }), replace: true });
  return (
    <>
      <ListPage
        title={texts.teams.title}
        create={{ operation: 'createTeam', label: texts.teams.create, to: () => setIsCreating(true) }}
        actions={
          can('simulate') && (
            <LinkButton to="/routing" variant="default">
              {texts.app.whoWouldBePaged}
            </LinkButton>
          )
        }
        search={{ label: texts.teams.search, value: q, onChange: search }}
        empty={{
          title: texts.teams.empty,
          hint: texts.teams.emptyHint,
          clear: q === undefined ? undefined : () => search(undefined),
        }}
      >
        {(empty) => (
          <RecordList
            operation="listTeams"
            label={texts.teams.title}
            query={{ q }}
            onOpen={(id) => void navigate({ to: '/teams/$id', params: { id } })}
            empty={empty}
            columns={[
              {
                id: 'name',
                title: texts.teams.name,
                width: 'minmax(0, 1.2fr)',
                cell: ({ id, name }) => (
                  <Link to="/teams/$id" params={{ id }}>
                    <bdi>{name}</bdi>
                  </Link>
                ),
              },
              {
                id: 'slug',
                title: texts.teams.slug,
                width: 'minmax(0, 1fr)',
                cell: ({ slug }) => <code>{texts.teams.label(slug)}</code>,
              },
              { id: 'members', title: texts.teams.members, width: '6rem', cell: ({ members }) => members.length },
              {
                id: 'policy',
                title: texts.teams.policy,
                width: 'minmax(0, 1fr)',
                cell: ({ policyId }) => <bdi>{policyOf(policyId)}</bdi>,
              },
            ]}
            phoneRow={({ name, slug, members }) => (
              <>
                <bdi>{name}</bdi>
                <div className={styles.hint}>
                  <code>{slug}</code> · {texts.teams.count(members.length)}
                </div>
              </>
            )}
          />
        )}
      </ListPage>
      {isCreating && <NewTeamDialog close={() => setIsCreating(false)} />}
    </>
  );
}
