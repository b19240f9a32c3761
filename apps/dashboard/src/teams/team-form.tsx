import { ActionIcon, Alert, Button, Group, Select, Stack, TextInput } from '@mantine/core';
import { Cross2Icon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import schema from 'schema:PutTeam';
import { all } from '../api/queries.js';
import type { Body, Data } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { useMemberOptions } from '../ui/member-select.js';
import { notifyDone } from '../ui/notify.js';
import { useForm } from '../ui/use-form.js';
import styles from './teams.module.css';

type Team = Data<'getTeam'>;
type Values = Pick<Team, 'name' | 'slug' | 'members' | 'policyId'> & { description: string };

const valuesOf = ({ name, slug, description, members, policyId }: Team): Values => ({
  name,
  slug,
  description: description ?? '',
  members,
  policyId,
});
const bodyOf = (values: Values): Body<'updateTeam'> => ({ ...values, description: values.description.trim() || null });

const roles = ['manager', 'responder'] as const;

export function TeamForm({ team, isReadOnly }: { team: Team; isReadOnly: boolean }) {
  const can = useCan();
  const { data: policies = [] } = useQuery({
    ...all('listEscalationPolicies'),
    enabled: can('listEscalationPolicies'),
  });
  const update = useAct('updateTeam', { changes: ['listTeams', 'getTeam', 'getCurrentRecipients'] });
  const form = useForm<Values>({
    schema,
    initial: valuesOf(team),
    toBody: bodyOf,
    send: async (values) => {
      const { data } = await update.mutateAsync({
        path: { id: team.id },
        body: bodyOf(values),
        ifVersion: team.version,
      });
      form.reset(valuesOf(data));
      notifyDone(texts.teams.saved(data.name));
    },
  });
  return (
    <form onSubmit={form.submit} noValidate>
      <fieldset disabled={isReadOnly} className={styles.bare}>
        <Stack gap="sm">
          {form.error && <Alert color="red">{errorText(form.error)}</Alert>}
          <Members
            members={form.values.members}
            set={(members) => form.set('members', members)}
            error={form.errorAt('members')}
          />
          <TextInput label={texts.teams.name} {...form.field('name')} />
          <TextInput label={texts.teams.slug} description={texts.teams.slugHint} {...form.field('slug')} />
          <TextInput label={texts.teams.description} {...form.field('description')} />
          <Select
            label={texts.teams.policy}
            placeholder={texts.teams.catchAll}
            clearable
            searchable
            value={form.values.policyId}
            data={policies.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(value) => form.set('policyId', value)}
            error={form.errorAt('policyId')}
          />
          {!isReadOnly && (
            <Group justify="flex-end">
              <Button variant="default" disabled={!form.isChanged} onClick={() => form.reset()}>
                {texts.schedules.discard}
              </Button>
              <Button type="submit" disabled={!form.isChanged} loading={form.isSending}>
                {texts.ui.save}
              </Button>
            </Group>
          )}
        </Stack>
      </fieldset>
    </form>
  );
}

interface MembersProps {
  members: Values['members'];
  set: (members: Values['members']) => void;
  error: string | undefined;
}

function Members({ members, set, error }: MembersProps) {
  const options = useMemberOptions();
  const nameOf = (id: string): string => options.find(({ value }) => value === id)?.label ?? texts.ui.member;
  return (
    <section aria-labelledby="members">
      <h2 id="members" className={styles.section}>
        {texts.teams.members}
      </h2>
      {members.length === 0 && <p className={styles.fault}>{texts.teams.noMembers}</p>}
      <ul className={styles.plain}>
        {members.map(({ userId, role }, i) => (
          <li key={userId} className={styles.member}>
            <bdi className={styles.grow}>{nameOf(userId)}</bdi>
            <Select
              size="xs"
              w="8rem"
              aria-label={texts.teams.roleOf(nameOf(userId))}
              allowDeselect={false}
              value={role}
              data={roles.map((value) => ({ value, label: texts.teams.roles[value] }))}
              onChange={(value) =>
                set(members.with(i, { userId, role: value === 'manager' ? 'manager' : 'responder' }))
              }
            />
            <ActionIcon
              size="sm"
              aria-label={texts.schedules.removeMember(nameOf(userId))}
              onClick={() => set(members.toSpliced(i, 1))}
            >
              <Cross2Icon aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      <Select
        aria-label={texts.schedules.addMember}
        placeholder={texts.schedules.addMember}
        searchable
        limit={100}
        value={null}
        data={options.filter(({ value }) => !members.some(({ userId }) => userId === value))}
        error={error}
        onChange={(userId) => userId !== null && set([...members, { userId, role: 'responder' }])}
      />
    </section>
  );
}
