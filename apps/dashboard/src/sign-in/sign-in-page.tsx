import { Button, Divider, PasswordInput, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import postSession from 'schema:PostSession';
import { ApiError } from '../api/api-error.js';
import { call } from '../api/call.js';
import { read } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { useForm } from '../ui/use-form.js';
import { SecondFactor } from './second-factor.js';
import { SignInFrame } from './sign-in-frame.js';
import { signInRoute } from './sign-in.routes.js';
import { returnPath } from './return-path.js';
import { useEnter } from './use-enter.js';
import { usePasskey } from './use-passkey.js';
import styles from './sign-in.module.css';

export function SignInPage() {
  const { return: wanted, factor } = signInRoute.useSearch();
  const [factors, setFactors] = useState<readonly string[] | null>(factor ?? null);
  if (factors !== null) return <SecondFactor factors={factors} wanted={wanted} startAgain={() => setFactors(null)} />;
  return (
    <SignInFrame title={texts.signIn.title}>
      <PasswordForm onSecondFactor={setFactors} />
      <OtherWays wanted={wanted} />
    </SignInFrame>
  );
}

function PasswordForm({ onSecondFactor }: { onSecondFactor: (factors: readonly string[]) => void }) {
  const { return: wanted } = signInRoute.useSearch();
  const enter = useEnter(wanted);
  const form = useForm({
    schema: postSession,
    initial: { email: '', password: '' },
    send: async (body) => {
      const { data } = await call('signIn', { body });
      if (data.session === null) onSecondFactor(data.secondFactor ?? []);
      else await enter(data.session);
    },
  });
  return (
    <form className={styles.form} onSubmit={form.submit} noValidate>
      <TextInput {...form.field('email')} label={texts.signIn.email} type="email" autoComplete="username" autoFocus />
      <PasswordInput {...form.field('password')} label={texts.signIn.password} autoComplete="current-password" />
      <SignInFault error={form.error} />
      <Button type="submit" size="sm" loading={form.isSending}>
        {texts.signIn.submit}
      </Button>
      <Link to="/reset-password" className={styles.link}>
        {texts.signIn.forgot}
      </Link>
    </form>
  );
}

/** What an attempt has answered: a wrong password, too many attempts, or a failure. */
export const SignInFault = ({ error, wrong = texts.signIn.wrong }: { error: ApiError | null; wrong?: string }) =>
  error === null ? null : (
    <p className={styles.fault} role="alert">
      {error.code === 'UNAUTHORIZED' ? wrong : errorText(error)}
    </p>
  );

function OtherWays({ wanted }: { wanted: string | undefined }) {
  const { data: methods } = useQuery(read('getSignInMethods'));
  const passkey = usePasskey(useEnter(wanted));
  const openId = useMutation({
    mutationFn: async () => {
      const { data } = await call('beginOpenIdSignIn', { body: { returnTo: returnPath(wanted) } });
      location.assign(data.url);
    },
  });
  const canUsePasskeys = methods?.passkey === true && 'PublicKeyCredential' in globalThis;
  if (methods === undefined || (!canUsePasskeys && methods.openId === null)) return null;
  return (
    <>
      <Divider label={texts.signIn.or} />
      {canUsePasskeys && (
        <Button variant="default" size="sm" loading={passkey.isPending} onClick={() => passkey.mutate()}>
          {texts.signIn.passkey}
        </Button>
      )}
      {methods.openId !== null && (
        <Button variant="default" size="sm" loading={openId.isPending} onClick={() => openId.mutate()}>
          {texts.signIn.openId(methods.openId.name)}
        </Button>
      )}
      {passkey.isError && (
        <p className={styles.fault} role="alert">
          {texts.signIn.passkeyFailed}
        </p>
      )}
      {openId.isError && (
        <p className={styles.fault} role="alert">
          {errorText(openId.error)}
        </p>
      )}
    </>
  );
}
