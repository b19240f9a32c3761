import { Button, Group, PasswordInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import putPassword from 'schema:PutPassword';
import { call } from '../../api/call.js';
import { renewSession, useSession } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { errorText } from '../../ui/error-state.js';
import { notifyDone } from '../../ui/notify.js';
import { useForm } from '../../ui/use-form.js';
import { Section } from './section.js';
import styles from './profile.module.css';

/** Changes the password; a person who came by a link sets the first. */
export function Password() {
  const { account } = useSession();
  const queries = useQueryClient();
  const toBody = ({ currentPassword, newPassword }: { currentPassword: string; newPassword: string }) =>
    account.hasPassword ? { currentPassword, newPassword } : { newPassword };
  const form = useForm({
    schema: putPassword,
    initial: { currentPassword: '', newPassword: '' },
    toBody,
    send: async (values) => {
      const { data } = await call('changePassword', { body: toBody(values) });
      renewSession(queries, data);
      form.reset({ currentPassword: '', newPassword: '' });
      notifyDone(texts.profile.passwordChanged);
    },
  });
  return (
    <Section title={texts.profile.password}>
      {!account.hasPassword && <p className={styles.dimmed}>{texts.profile.noPassword}</p>}
      <form onSubmit={form.submit} noValidate>
        <input type="hidden" name="username" value={account.email} autoComplete="username" readOnly />
        {account.hasPassword && (
          <PasswordInput
            {...form.field('currentPassword')}
            label={texts.profile.currentPassword}
            autoComplete="current-password"
          />
        )}
        <PasswordInput
          {...form.field('newPassword')}
          label={texts.profile.newPassword}
          description={texts.profile.newPasswordHint}
          autoComplete="new-password"
        />
        {form.error !== null && (
          <p className={styles.fault} role="alert">
            {['UNAUTHORIZED', 'INSUFFICIENT_SCOPE'].includes(form.error.code)
              ? texts.profile.wrongPassword
              : errorText(form.error)}
          </p>
        )}
        <Group>
          <Button type="submit" loading={form.isSending}>
            {account.hasPassword ? texts.profile.changePassword : texts.profile.setPassword}
          </Button>
        </Group>
      </form>
    </Section>
  );
}
