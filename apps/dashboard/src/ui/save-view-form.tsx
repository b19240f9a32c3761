import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import schema from 'schema:PostView';
import { all } from '../api/queries.js';
import type { Body } from '../api/operation-types.js';
import { call } from '../api/call.js';
import { invalidate } from '../api/queries.js';
import { queryClient } from '../app/query-client.js';
import { useCan, useSession } from '../app/session.js';
import { texts } from '../texts/texts.js';
import { errorText } from './error-state.js';
import { notifyDone } from './notify.js';
import { useForm } from './use-form.js';
import type { ViewPage, ViewQuery } from './saved-views.js';

const said = texts.ui.views;

export interface SaveViewFormProps {
  page: ViewPage;
  query: ViewQuery;
  onClose: () => void;
}

type Visibility = NonNullable<Body<'createView'>['visibility']>;

/** Saves the present filters under a name: for oneself, a team of oneself, or everybody. */
export function SaveViewForm({ page, query, onClose }: SaveViewFormProps) {
  const { member } = useSession();
  const can = useCan();
  const teams = useQuery({ ...all('listTeams', { userId: [member.id] }), enabled: can('listTeams') });
  const form = useForm<Body<'createView'>>({
    schema,
    initial: { name: '', page, query, visibility: 'own' },
    send: async (body) => {
      const { data } = await call('createView', { body });
      notifyDone(said.saved(data.name));
      onClose();
      await invalidate(queryClient, ['listViews']);
    },
  });
  const mine = teams.data ?? [];
  const choices: Visibility[] = mine.length > 0 ? ['own', 'team', 'organization'] : ['own', 'organization'];
  return (
    <Modal opened onClose={onClose} title={said.save}>
      <form onSubmit={form.submit} noValidate>
        <Stack>
          <TextInput {...form.field('name')} label={said.name} data-autofocus required />
          <Select
            label={said.visibility}
            data={choices.map((value) => ({ value, label: said[value] }))}
            value={form.values.visibility ?? 'own'}
            error={form.errorAt('visibility')}
            allowDeselect={false}
            onChange={(value) => {
              form.set('visibility', value as Visibility);
              form.set('teamId', value === 'team' ? (mine[0]?.id ?? null) : null);
            }}
          />
          {form.values.visibility === 'team' && (
            <Select
              label={said.teamName}
              data={mine.map(({ id, name }) => ({ value: id, label: name }))}
              value={form.values.teamId ?? null}
              error={form.errorAt('teamId')}
              allowDeselect={false}
              onChange={(value) => form.set('teamId', value)}
            />
          )}
          {form.error && <p role="alert">{errorText(form.error)}</p>}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {texts.ui.cancel}
            </Button>
            <Button type="submit" loading={form.isSending}>
              {texts.ui.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
