import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Data } from '../api/operation-types.js';
import { all, cannotShow, read } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { Strip } from '../policies/strip.js';
import { texts } from '../texts/texts.js';
import { CopyButton } from '../ui/copy-button.js';
import { DeleteButton } from '../ui/delete-button.js';
import { ErrorState } from '../ui/error-state.js';
import { ExactTime } from '../ui/exact-time.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PageSkeleton, RowsSkeleton } from '../ui/skeletons.js';
import { TeamForm } from './team-form.js';
import { teamRoute } from './teams.routes.js';
import styles from './teams.module.css';

type Team = Data<'getTeam'>;

export function TeamPage() {
  const { id } = teamRoute.useParams();
  const team = useQuery(read('getTeam', { path: { id } }));
  if (team.isPending) return <PageSkeleton />;
  if (cannotShow(team)) return <PageError list="/teams" found={team} />;
  return <TeamOverview key={id} team={team.data} />;
}

function TeamOverview({ team }: { team: Team }) {
  const { name, slug, policyId, id } = team;
  const can = useCan();
  const navigate = teamRoute.useNavigate();
  return (
    <>
      <PageHeader
        title={name}
        actions={
          <>
            {can('simulate') && (
              <Button
                component={Link}
                to="/routing"
                search={{ label: [`team:${slug}`], severity: 'critical' } as never}
                variant="default"
              >
                {texts.app.whoWouldBePaged}
              </Button>
            )}
            <DeleteButton
              operation="deleteTeam"
              id={id}
              changes={['listTeams']}
              question={texts.teams.deleteTitle(name)}
              text={texts.policies.deleteText}
              done={texts.teams.deleted(name)}
              notDone={texts.teams.notDeleted}
              onDeleted={() => void navigate({ to: '/teams' })}
            />
          </>
        }
      >
        <p className={styles.hint}>
          {texts.teams.routedBy} <code>{texts.teams.label(slug)}</code> <CopyButton value={texts.teams.label(slug)} />
        </p>
      </PageHeader>
      <div className={styles.page}>
        <div className={styles.main}>
          {can('getCurrentRecipients') && <TeamPolicy policyId={policyId} />}
          {can('listSchedules') && <TeamSchedules teamId={id} />}
        </div>
        <TeamForm team={team} isReadOnly={!can('updateTeam')} />
      </div>
    </>
  );
}

/** The policy of the team, or the catch-all policy in its place. */
function TeamPolicy({ policyId }: { policyId: string | null }) {
  const organization = useQuery({ ...read('getOrganization'), enabled: policyId === null });
  const id = policyId ?? organization.data?.catchAllPolicyId ?? null;
  const policy = useQuery({ ...read('getEscalationPolicy', { path: { id: id ?? '' } }), enabled: id !== null });
  if (id === null && organization.isSuccess) return <p className={styles.fault}>{texts.teams.noPolicy}</p>;
  if (cannotShow(policy)) return <ErrorState error={policy.error} retry={() => void policy.refetch()} />;
  if (!policy.data) return <RowsSkeleton rows={3} />;
  return (
    <div>
      <p className={styles.hint}>
        {texts.teams.policy}:{' '}
        <Link to="/policies/$id" params={{ id: policy.data.id }}>
          <bdi>{policy.data.name}</bdi>
        </Link>
        {policyId === null && ` (${texts.teams.catchAll})`}
      </p>
      <Strip policy={policy.data} />
    </div>
  );
}

function TeamSchedules({ teamId }: { teamId: string }) {
  const schedules = useQuery(all('listSchedules', { teamId: [teamId] }));
  const current = useQuery(all('getCurrentOnCall'));
  if (schedules.isPending) return <RowsSkeleton rows={3} />;
  if (cannotShow(schedules)) return <ErrorState error={schedules.error} retry={() => void schedules.refetch()} />;
  return (
    <section aria-labelledby="schedules">
      <h2 id="schedules" className={styles.section}>
        {texts.teams.schedules}
      </h2>
      {schedules.data.length === 0 && (
        <p className={styles.hint}>
          {texts.teams.noSchedules} <Link to="/on-call">{texts.teams.toOnCall}</Link>
        </p>
      )}
      <ul className={styles.plain}>
        {schedules.data.map(({ id, name }) => {
          const now = current.data?.find(({ scheduleId }) => scheduleId === id);
          const names = now?.users.map((user) => user.name).join(', ');
          return (
            <li key={id}>
              <Link to="/schedules/$id" params={{ id }}>
                <bdi>{name}</bdi>
              </Link>{' '}
              {now && (
                <span className={now.isGap && !now.isPlannedGap ? styles.fault : styles.hint}>
                  <bdi>{names || (now.isPlannedGap ? texts.onCall.plannedGap : texts.onCall.gapNow)}</bdi>
                  {now.endsAt !== null && (
                    <>
                      {' '}
                      {texts.policies.until} <ExactTime at={now.endsAt} />
                    </>
                  )}
                </span>
              )}
            </li>
          );
        })}
      </ul>
      {schedules.data.length > 0 && (
        <Link to="/on-call" search={{ team: teamId } as never}>
          {texts.schedules.toCalendar}
        </Link>
      )}
    </section>
  );
}
