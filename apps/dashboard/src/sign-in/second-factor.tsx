import { Button, TextInput } from '@mantine/core';
import postTotpCode from 'schema:PostTotpCode';
import { call } from '../api/call.js';
import { texts } from '../texts/texts.js';
import { useForm } from '../ui/use-form.js';
import { SignInFrame } from './sign-in-frame.js';
import { SignInFault } from './sign-in-page.js';
import { useEnter } from './use-enter.js';
import { usePasskey } from './use-passkey.js';
import styles from './sign-in.module.css';

export interface SecondFactorProps {
  /** `totp`, `recovery`, `passkey`. */
  factors: readonly string[];
  wanted: string | undefined;
  startAgain: () => void;
}

/** After the password: a code, or a passkey. */
export function SecondFactor({ factors, wanted, startAgain }: SecondFactorProps) {
  const enter = useEnter(wanted);
  const passkey = usePasskey(enter);
  const form = useForm({
    schema: postTotpCode,
    initial: { code: '' },
    toBody: ({ code }) => ({ code: code.trim() }),
    send: async ({ code }) => {
      const { data } = await call('signInWithCode', { body: { code: code.trim() } });
      if (data.session !== null) await enter(data.session);
    },
  });
  return (
    <SignInFrame title={texts.signIn.secondFactor}>
      {factors.some((factor) => factor !== 'passkey') && (
        <form className={styles.form} onSubmit={form.submit} noValidate>
          <p className={styles.text}>{texts.signIn.codeText}</p>
          <TextInput {...form.field('code')} label={texts.signIn.code} autoComplete="one-time-code" autoFocus />
          <SignInFault error={form.error} wrong={texts.signIn.wrongCode} />
          <Button type="submit" size="sm" loading={form.isSending}>
            {texts.signIn.continue}
          </Button>
        </form>
      )}
      {factors.includes('passkey') && (
        <Button variant="default" size="sm" loading={passkey.isPending} onClick={() => passkey.mutate()}>
          {texts.signIn.usePasskey}
        </Button>
      )}
      {passkey.isError && (
        <p className={styles.fault} role="alert">
          {texts.signIn.passkeyFailed}
        </p>
      )}
      <Button variant="subtle" onClick={startAgain}>
        {texts.signIn.startAgain}
      </Button>
    </SignInFrame>
  );
}
