import { Button, Group, Select, Textarea, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import putProfile from 'schema:PutProfile';
import type { Data } from '../../api/operation-types.js';
import { call } from '../../api/call.js';
import { invalidate, read } from '../../api/queries.js';
import { texts } from '../../texts/texts.js';
import { ErrorState, errorText } from '../../ui/error-state.js';
import { notifyDone } from '../../ui/notify.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { useForm } from '../../ui/use-form.js';
import { Section } from './section.js';
import styles from './profile.module.css';

const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])];

/** Name, zone and further addresses of the member. */
export function About() {
  const profile = useQuery(read('getProfile'));
  return (
    <Section title={texts.profile.about}>
      {profile.isPending && <RowsSkeleton rows={3} />}
      {profile.isError && <ErrorState error={profile.error} retry={() => void profile.refetch()} />}
      {profile.isSuccess && <AboutForm key={profile.data.version} profile={profile.data} />}
    </Section>
  );
}

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

function AboutForm({ profile }: { profile: Data<'getProfile'> }) {
  const queries = useQueryClient();
  const toBody = ({ name, timezone, addresses }: { name: string; timezone: string; addresses: string }) => ({
    name,
    timezone,
    contactMethods: linesOf(addresses).map((address) => ({ type: 'email', address })),
  });
  const form = useForm({
    schema: putProfile,
    initial: {
      name: profile.name,
      timezone: profile.timezone,
      addresses: profile.contactMethods
        .map(({ address }) => address)
        .filter((address) => address !== profile.email)
        .join('\n'),
    },
    toBody,
    send: async (values) => {
      await call('updateProfile', { body: toBody(values) }, { ifVersion: profile.version });
      notifyDone(texts.profile.saved);
      await invalidate(queries, ['getProfile', 'getSession', 'listMembers']);
    },
  });
  const faultOfAddresses = linesOf(form.values.addresses)
    .map((_address, i) => form.errorAt(`contactMethods[${i}].address`))
    .find((message) => message !== undefined);
  return (
    <form onSubmit={form.submit} noValidate>
      <TextInput label={texts.profile.email} value={profile.email} readOnly />
      <TextInput {...form.field('name')} label={texts.profile.name} autoComplete="name" />
      <Select
        label={texts.profile.timezone}
        description={texts.profile.timezoneHint}
        data={zones}
        searchable
        allowDeselect={false}
        limit={100}
        value={form.values.timezone}
        error={form.errorAt('timezone')}
        onChange={(zone) => zone !== null && form.set('timezone', zone)}
      />
      <Textarea
        {...form.field('addresses')}
        label={texts.profile.contacts}
        description={texts.profile.contactsHint}
        error={faultOfAddresses ?? form.errorAt('contactMethods')}
        autosize
        minRows={2}
      />
      {form.error !== null && (
        <p className={styles.fault} role="alert">
          {form.error.code === 'VERSION_MISMATCH' ? texts.profile.changedElsewhere : errorText(form.error)}
        </p>
      )}
      <Group>
        <Button type="submit" disabled={!form.isChanged} loading={form.isSending}>
          {texts.ui.save}
        </Button>
      </Group>
    </form>
  );
}
