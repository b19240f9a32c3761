import { MultiSelect, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import schema from 'schema:PostIncident';
import { call } from '../api/call.js';
import { all, invalidate } from '../api/queries.js';
import type { Body } from '../api/operation-types.js';
import { queryClient } from '../app/query-client.js';
import { useCan } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { FormDialog } from '../ui/form-dialog.js';
import { notifyDone } from '../ui/notify.js';
import { useForm } from '../ui/use-form.js';

const said = texts.incidents.form;
const severities = ['critical', 'high', 'medium', 'low', 'info'] as const;

/** Whom a new incident can page: each team that has a policy, then the policies. */
function usePageChoices() {
  const can = useCan();
  const teams = useQuery({ ...all('listTeams'), enabled: can('listTeams') }).data ?? [];
  const policies = useQuery({ ...all('listEscalationPolicies'), enabled: can('listEscalationPolicies') }).data ?? [];
  return [
    ...teams.flatMap(({ id, name, policyId }) =>
      policyId === null ? [] : [{ value: `${id} ${policyId}`, teamId: id, policyId, label: said.team(name) }],
    ),
    ...policies.map(({ id, name }) => ({ value: id, teamId: null, policyId: id, label: said.policy(name) })),
  ];
}

/** Opens an incident, and pages a team. */
export function NewIncident({ teamId, onClose }: { teamId: string | null; onClose: () => void }) {
  const can = useCan();
  const navigate = useNavigate();
  const choices = usePageChoices();
  const members = useQuery({ ...all('listMembers', { status: ['active'] }), enabled: can('listMembers') });
  const clients = useQuery({ ...all('listClients'), enabled: can('listClients') });
  const asked = choices.find((choice) => teamId !== null && choice.teamId === teamId);
  const form = useForm<Body<'createIncident'> & { page?: string | null }>({
    schema,
    initial: { title: '', severity: 'high', summary: '' },
    toBody: ({ page, summary, ...values }) => {
      const chosen = page === undefined ? asked : choices.find(({ value }) => value === page);
      return {
        ...values,
        ...(summary ? { summary } : {}),
        ...(chosen === undefined ? {} : { policyId: chosen.policyId }),
      };
    },
    send: async (values) => {
      const { page, summary, ...rest } = values;
      const chosen = page === undefined ? asked : choices.find(({ value }) => value === page);
      const body = { ...rest, ...(summary ? { summary } : {}), ...(chosen ? { policyId: chosen.policyId } : {}) };
      const { data } = await call('createIncident', { body });
      notifyDone(texts.incidents.created(data.number));
      await invalidate(queryClient, ['listIncidents', 'getIncidentFacets']);
      await navigate({ to: '/incidents/$number', params: { number: String(data.number) } });
    },
  });
  return (
    <FormDialog title={said.title} form={form} close={onClose} action={said.submit} size="lg">
      <TextInput {...form.field('title')} label={said.name} data-autofocus required />
      <Select
        label={said.severity}
        data={severities.map((value) => ({ value, label: texts.ui.severity[value] }))}
        value={form.values.severity}
        allowDeselect={false}
        error={form.errorAt('severity')}
        onChange={(value) => form.set('severity', value as (typeof severities)[number])}
      />
      <Select
        label={said.page}
        description={said.pageHint}
        placeholder={said.nobody}
        data={choices.map(({ value, label }) => ({ value, label }))}
        value={form.values.page === undefined ? (asked?.value ?? null) : form.values.page}
        error={form.errorAt('policyId')}
        searchable
        clearable
        onChange={(value) => form.set('page', value)}
      />
      {can('listMembers') && (
        <MultiSelect
          label={said.assignees}
          data={members.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={form.values.assigneeIds ?? []}
          error={form.errorAt('assigneeIds')}
          maxValues={50}
          searchable
          onChange={(value) => form.set('assigneeIds', value)}
        />
      )}
      {can('listClients') && (
        <Select
          label={said.client}
          data={clients.data?.map(({ id, name }) => ({ value: id, label: name })) ?? []}
          value={form.values.clientId ?? null}
          error={form.errorAt('clientId')}
          searchable
          clearable
          onChange={(value) => form.set('clientId', value)}
        />
      )}
      <Textarea {...form.field('summary')} label={said.summary} autosize minRows={3} maxRows={12} />
    </FormDialog>
  );
}
