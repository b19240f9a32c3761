import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import schema from 'schema:PutEscalationPolicy';
import type { Body, Data } from '../api/operation-types.js';
import { all, cannotShow, read } from '../api/queries.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { DeleteButton } from '../ui/delete-button.js';
import { notifyDone } from '../ui/notify.js';
import { PageError } from '../ui/page-error.js';
import { PageHeader } from '../ui/page-header.js';
import { PageSkeleton } from '../ui/skeletons.js';
import { useForm } from '../ui/use-form.js';
import { LevelsForm, type PolicyDraft } from './levels-form.js';
import { sentLevels, type Level } from './levels.js';
import { policyRoute } from './policies.routes.js';
import { Strip } from './strip.js';
import styles from './policies.module.css';

type Policy = Data<'getEscalationPolicy'>;

export function PolicyPage() {
  const { id } = policyRoute.useParams();
  const policy = useQuery(read('getEscalationPolicy', { path: { id } }));
  if (policy.isPending) return <PageSkeleton />;
  if (cannotShow(policy)) return <PageError list="/policies" found={policy} />;
  return <PolicyEditor key={id} policy={policy.data} />;
}

const draftOf = ({ name, description, teamId, levels, repeat, ackTimeoutSeconds }: Policy): PolicyDraft => ({
  name,
  description: description ?? '',
  teamId,
  levels: levels as Level[],
  repeat,
  ackTimeoutSeconds,
});

const bodyOf = (draft: PolicyDraft): Body<'updateEscalationPolicy'> => ({
  ...draft,
  description: draft.description.trim() || null,
  levels: sentLevels(draft.levels),
});

const changes = ['listEscalationPolicies', 'getEscalationPolicy', 'getCurrentRecipients', 'listTeams'] as const;

function PolicyEditor({ policy }: { policy: Policy }) {
  const { id, name, version } = policy;
  const can = useCan();
  const navigate = policyRoute.useNavigate();
  const organization = useQuery({ ...read('getOrganization'), enabled: can('getOrganization') });
  const update = useAct('updateEscalationPolicy', { changes });
  const form = useForm<PolicyDraft>({
    schema,
    initial: draftOf(policy),
    toBody: bodyOf,
    send: async (draft) => {
      const { data } = await update.mutateAsync({ path: { id }, body: bodyOf(draft), ifVersion: version });
      form.reset(draftOf(data));
      notifyDone(texts.policies.saved(data.name));
    },
  });
  return (
    <>
      <PageHeader
        title={name}
        aside={organization.data?.catchAllPolicyId === id && <Badge variant="light">{texts.policies.catchAll}</Badge>}
        actions={
          <DeleteButton
            operation="deleteEscalationPolicy"
            id={id}
            changes={['listEscalationPolicies']}
            question={texts.policies.deleteTitle(name)}
            text={texts.policies.deleteText}
            done={texts.policies.deleted(name)}
            notDone={texts.policies.notDeleted}
            onDeleted={() => void navigate({ to: '/policies' })}
          />
        }
      />
      <div className={styles.page}>
        <Strip policy={policy} />
        <div className={styles.columns}>
          <LevelsForm form={form} isReadOnly={!can('updateEscalationPolicy')} />
          <UsedBy policyId={id} isCatchAll={organization.data?.catchAllPolicyId === id} />
        </div>
      </div>
    </>
  );
}

function UsedBy({ policyId, isCatchAll }: { policyId: string; isCatchAll: boolean }) {
  const can = useCan();
  const teams = useQuery({ ...all('listTeams', { policyId: [policyId] }), enabled: can('listTeams') });
  if (!teams.data) return null;
  return (
    <section aria-labelledby="used-by">
      <h2 id="used-by" className={styles.section}>
        {texts.policies.usedBy}
      </h2>
      {isCatchAll && <p className={styles.hint}>{texts.policies.catchAllHint}</p>}
      {teams.data.length === 0 && !isCatchAll && (
        <p className={styles.hint}>
          {texts.policies.noTeam} <Link to="/teams">{texts.policies.toTeams}</Link>
        </p>
      )}
      <ul className={styles.plain}>
        {teams.data.map((team) => (
          <li key={team.id}>
            <Link to="/teams/$id" params={{ id: team.id }}>
              <bdi>{team.name}</bdi>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
