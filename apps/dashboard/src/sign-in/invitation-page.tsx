import { Button, PasswordInput, TextInput } from '@mantine/core';
import acceptance from 'schema:PostInvitationAcceptance';
import { call } from '../api/call.js';
import { viewerZone } from '../app/zone.js';
import { texts } from '../texts/texts.js';
import { useForm } from '../ui/use-form.js';
import { SignInFrame } from './sign-in-frame.js';
import { SignInFault } from './sign-in-page.js';
import { invitationRoute } from './sign-in.routes.js';
import { useEnter } from './use-enter.js';
import styles from './sign-in.module.css';

/** Somebody was invited: a name and a password, and they are in. */
export function InvitationPage() {
  const { token, invitation } = invitationRoute.useLoaderData();
  const { hasPassword, organizationName, email } = invitation;
  const enter = useEnter();
  const navigate = invitationRoute.useNavigate();
  const form = useForm({
    schema: acceptance,
    initial: { token, name: invitation.name, timezone: viewerZone(), password: '' },
    send: async (body) => {
      const { data } = await call('acceptInvitation', { body });
      if (data.session === null) await navigate({ to: '/sign-in', search: { factor: data.secondFactor ?? undefined } });
      else await enter(data.session);
    },
  });
  return (
    <SignInFrame title={texts.signIn.invitation(organizationName)}>
      <p className={styles.text}>
        {texts.signIn.invitationText(email)} {hasPassword && texts.signIn.invitationOwnPassword}
      </p>
      <form className={styles.form} onSubmit={form.submit} noValidate>
        <input type="hidden" name="username" value={email} autoComplete="username" readOnly />
        <TextInput {...form.field('name')} label={texts.signIn.name} autoComplete="name" />
        <PasswordInput
          {...form.field('password')}
          label={hasPassword ? texts.signIn.ownPassword : texts.signIn.newPassword}
          description={hasPassword ? undefined : texts.signIn.newPasswordHint}
          autoComplete={hasPassword ? 'current-password' : 'new-password'}
          autoFocus
        />
        <SignInFault error={form.error} wrong={texts.signIn.wrongPassword} />
        <Button type="submit" size="sm" loading={form.isSending}>
          {texts.signIn.join}
        </Button>
      </form>
    </SignInFrame>
  );
}
