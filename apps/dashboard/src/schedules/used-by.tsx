import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { all } from '../api/queries.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import styles from './schedules.module.css';

/** The policies that page who is on call here, and the teams that use them. */
export function UsedBy({ scheduleId }: { scheduleId: string }) {
  const can = useCan();
  const policies = useQuery({ ...all('listEscalationPolicies'), enabled: can('listEscalationPolicies') });
  const teams = useQuery({ ...all('listTeams'), enabled: can('listTeams') });
  if (!policies.data) return null;
  const used = policies.data.filter(({ levels }) =>
    levels.some(({ targets }) => targets.some((target) => target.type === 'schedule' && target.id === scheduleId)),
  );
  return (
    <section aria-labelledby="used-by" className={styles.box}>
      <h2 id="used-by" className={styles.section}>
        {texts.schedules.usedBy}
      </h2>
      {used.length === 0 && (
        <p className={styles.fault}>
          {texts.schedules.unused} <Link to="/policies">{texts.schedules.toPolicies}</Link>
        </p>
      )}
      <ul className={styles.plain}>
        {used.map(({ id, name }) => (
          <li key={id}>
            <Link to="/policies/$id" params={{ id }}>
              <bdi>{texts.schedules.policy(name)}</bdi>
            </Link>
            {teams.data
              ?.filter(({ policyId }) => policyId === id)
              .map((team) => (
                <span key={team.id} className={styles.hint}>
                  {' · '}
                  <Link to="/teams/$id" params={{ id: team.id }}>
                    <bdi>{texts.schedules.team(team.name)}</bdi>
                  </Link>
                </span>
              ))}
          </li>
        ))}
      </ul>
    </section>
  );
}
