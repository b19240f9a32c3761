import { Alert, Button } from '@mantine/core';
import { useState } from 'react';
import { useAct } from '../api/use-act.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { SignInFrame } from './sign-in-frame.js';
import { mailRecipientRoute } from './sign-in.routes.js';
import styles from './sign-in.module.css';

/** The owner of an address confirms by the button: programs that open the links of a mail confirm nothing. */
export function MailRecipientPage() {
  const { token, link } = mailRecipientRoute.useLoaderData();
  const { organizationName, address } = link;
  const said = texts.mailRecipients;
  const [isDone, setIsDone] = useState(false);
  const confirm = useAct('confirmMailRecipient', { onSuccess: () => setIsDone(true) });
  return (
    <SignInFrame title={said.confirmTitle(organizationName)}>
      {isDone ? (
        <p role="status">{said.confirmed(address)}</p>
      ) : (
        <>
          <p className={styles.text}>{said.confirmText(organizationName, address)}</p>
          {confirm.error && <Alert color="red">{errorText(confirm.error)}</Alert>}
          <Button size="sm" loading={confirm.isPending} onClick={() => confirm.mutate({ body: { token } })}>
            {said.confirm}
          </Button>
        </>
      )}
    </SignInFrame>
  );
}
