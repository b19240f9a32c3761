import { Button, PasswordInput, TextInput } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import postPasswordReset from 'schema:PostPasswordReset';
import putPasswordReset from 'schema:PutPasswordReset';
import { call } from '../api/call.js';
import { texts } from '../texts/texts.js';
import { useForm } from '../ui/use-form.js';
import { LinkFailed } from './link-failed.js';
import { SignInFrame } from './sign-in-frame.js';
import { SignInFault } from './sign-in-page.js';
import styles from './sign-in.module.css';

/** Without the token of a mail: asks for one. With it: sets the new password. */
export function ResetPage() {
  // The link may be opened in the tab that asked for it: then only this part of the address changes.
  const token = useLocation({ select: ({ hash }) => hash });
  return token === '' ? <AskForLink /> : <SetPassword key={token} token={token} />;
}

function AskForLink() {
  const [validMinutes, setValidMinutes] = useState<number | null>(null);
  const form = useForm({
    schema: postPasswordReset,
    initial: { email: '' },
    send: async (body) => {
      const { data } = await call('requestPasswordReset', { body });
      setValidMinutes(data.validForMinutes);
    },
  });
  return (
    <SignInFrame title={texts.signIn.reset}>
      {validMinutes !== null ? (
        <p role="status">{texts.signIn.linkSent(validMinutes)}</p>
      ) : (
        <form className={styles.form} onSubmit={form.submit} noValidate>
          <p className={styles.text}>{texts.signIn.resetText}</p>
          <TextInput
            {...form.field('email')}
            label={texts.signIn.email}
            type="email"
            autoComplete="username"
            autoFocus
          />
          <SignInFault error={form.error} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.signIn.sendLink}
          </Button>
        </form>
      )}
      <Link to="/sign-in" className={styles.link}>
        {texts.signIn.toSignIn}
      </Link>
    </SignInFrame>
  );
}

function SetPassword({ token }: { token: string }) {
  const [isSet, setIsSet] = useState(false);
  const form = useForm({
    schema: putPasswordReset,
    initial: { token, password: '' },
    send: async (body) => {
      await call('resetPassword', { body });
      setIsSet(true);
    },
  });
  const isSpent = form.error?.code === 'NOT_FOUND' || form.errorAt('token') !== undefined;
  if (isSpent) return <LinkFailed error={form.error} reset={() => form.reset()} />;
  return (
    <SignInFrame title={texts.signIn.reset}>
      {isSet ? (
        <>
          <p role="status">{texts.signIn.passwordSet}</p>
          <Button component={Link} to="/sign-in" size="sm">
            {texts.signIn.toSignIn}
          </Button>
        </>
      ) : (
        <form className={styles.form} onSubmit={form.submit} noValidate>
          <PasswordInput
            {...form.field('password')}
            label={texts.signIn.newPassword}
            description={texts.signIn.newPasswordHint}
            autoComplete="new-password"
            autoFocus
          />
          <SignInFault error={form.error} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.signIn.setPassword}
          </Button>
        </form>
      )}
    </SignInFrame>
  );
}
