import { Button, Select, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import schema from 'schema:TestNotification';
import type { Body } from '../../api/operation-types.js';
import { read } from '../../api/queries.js';
import { useAct } from '../../api/use-act.js';
import { useSession } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { DetailDrawer } from '../../ui/detail-drawer.js';
import { FormError } from '../../ui/form-error.js';
import { RecordChoice } from '../../ui/record-choice.js';
import { useForm } from '../../ui/use-form.js';
import { NotificationFacts } from './notification-drawer.js';
import { chatKinds, targetKinds, targetOf, type TargetValues } from './test-target.js';
import formStyles from '../../ui/form.module.css';
import styles from '../settings.module.css';

const readEveryMs = 1000;

/** Sends a message without an alert, and shows its result. */
export function TestMessage({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <DetailDrawer title={texts.notifications.test.title} open={isOpen} onClose={onClose}>
      <TestForm />
    </DetailDrawer>
  );
}

function TestForm() {
  const said = texts.notifications.test;
  const { account, member } = useSession();
  const [sentId, setSentId] = useState<string | null>(null);
  const send = useAct('sendTestNotification', { changes: ['listNotifications'] });
  const bodyOf = (values: TargetValues): Body<'sendTestNotification'> => ({ target: targetOf(values) });
  const form = useForm<TargetValues>({
    schema,
    initial: { kind: 'email', address: account.email, userId: member.id, service: 'slack', url: '' },
    toBody: bodyOf,
    send: async (values) => setSentId((await send.mutateAsync({ body: bodyOf(values) })).data.id),
  });
  const { kind, userId, service } = form.values;
  return (
    <>
      <form className={formStyles.form} onSubmit={form.submit} noValidate>
        <p className={styles.dimmed}>{said.hint}</p>
        <Select
          label={said.kind}
          allowDeselect={false}
          value={kind}
          onChange={(next) => form.set('kind', (next ?? 'email') as TargetValues['kind'])}
          data={targetKinds.map((value) => ({ value, label: said.kinds[value] }))}
        />
        {kind === 'email' && (
          <TextInput
            {...form.field('address')}
            type="email"
            label={said.address}
            error={form.errorAt('target.address')}
          />
        )}
        {kind === 'user' && (
          <RecordChoice
            noun="member"
            label={said.member}
            clearable
            value={userId}
            onChange={(id) => form.set('userId', id ?? '')}
            error={form.errorAt('target.id')}
          />
        )}
        {kind === 'channel' && (
          <>
            <Select
              label={said.service}
              allowDeselect={false}
              value={service}
              onChange={(next) => form.set('service', (next ?? 'slack') as TargetValues['service'])}
              data={chatKinds.map((value) => ({ value, label: texts.notifications.channels[value] ?? value }))}
            />
            <TextInput {...form.field('url')} type="url" label={said.url} error={form.errorAt('target.url')} />
          </>
        )}
        {form.errorAt('target') !== undefined && <p className={formStyles.fault}>{form.errorAt('target')}</p>}
        <FormError error={form.error} />
        <div className={formStyles.buttons}>
          <Button type="submit" loading={form.isSending}>
            {said.send}
          </Button>
        </div>
      </form>
      {sentId !== null && <Result key={sentId} id={sentId} />}
    </>
  );
}

/** Followed until it is sent, or is not. */
function Result({ id }: { id: string }) {
  const { data } = useQuery({
    ...read('getNotification', { path: { id } }),
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data === undefined || state.data.status === 'queued' ? readEveryMs : false),
  });
  return (
    <div role="status">
      {data === undefined ? <p>{texts.notifications.test.waiting}</p> : <NotificationFacts notification={data} />}
    </div>
  );
}
