import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import schema from 'schema:PostTeam';
import type { Body } from '../api/operation-types.js';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { MembersSelect } from '../ui/member-select.js';
import { notifyDone } from '../ui/notify.js';
import { RecordChoice } from '../ui/record-choice.js';
import { useForm } from '../ui/use-form.js';

interface Values {
  name: string;
  slug: string;
  members: string[];
  policyId: string | null;
}

const bodyOf = ({ name, slug, members, policyId }: Values): Body<'createTeam'> => ({
  name,
  ...(slug === '' ? {} : { slug }),
  members: members.map((userId) => ({ userId })),
  policyId,
});

export function NewTeamDialog({ close }: { close: () => void }) {
  const navigate = useNavigate();
  const create = useAct('createTeam', {
    changes: ['listTeams'],
    onSuccess: ({ data: { id, name } }) => {
      close();
      notifyDone(texts.teams.created(name));
      void navigate({ to: '/teams/$id', params: { id } });
    },
  });
  const form = useForm<Values>({
    schema,
    initial: { name: '', slug: '', members: [], policyId: null },
    toBody: bodyOf,
    send: (values) => create.mutateAsync({ body: bodyOf(values) }),
  });
  return (
    <FormDialog title={texts.teams.create} form={form} close={close}>
      <TextInput label={texts.teams.name} data-autofocus {...form.field('name')} />
      <TextInput label={texts.teams.slug} description={texts.teams.slugHint} {...form.field('slug')} />
      <MembersSelect
        label={texts.teams.members}
        value={form.values.members}
        onChange={(members) => form.set('members', members)}
        error={form.errorAt('members')}
      />
      <RecordChoice
        noun="policy"
        label={texts.teams.policy}
        placeholder={texts.teams.catchAll}
        clearable
        value={form.values.policyId}
        onChange={(value) => form.set('policyId', value)}
        error={form.errorAt('policyId')}
      />
    </FormDialog>
  );
}
