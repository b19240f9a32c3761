import { Button, Group, TextInput } from '@mantine/core';
import { startRegistration } from '@simplewebauthn/browser';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.js';
import { all, invalidate } from '../../api/queries.js';
import { useAct } from '../../api/use-act.js';
import { texts } from '../../texts/texts.js';
import { ConfirmButton } from '../../ui/confirm-button.js';
import { ErrorState } from '../../ui/error-state.js';
import { notifyDone, notifyFailed } from '../../ui/notify.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { browserName } from './browser-name.js';
import { RecoveryCodes } from './recovery-codes.js';
import { Section } from './section.js';
import { useProof } from './use-proof.js';
import styles from './profile.module.css';

type CreationOptions = Parameters<typeof startRegistration>[0]['optionsJSON'];

/** Devices by which the person signs in without a password. */
export function Passkeys() {
  const queries = useQueryClient();
  const passkeys = useQuery(all('listPasskeys'));
  const [name, setName] = useState(browserName(navigator.userAgent) ?? '');
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [withProof, proofDialog] = useProof();
  const remove = useAct('deletePasskey', {
    changes: ['listPasskeys', 'getTwoFactor'],
    onSuccess: () => notifyDone(texts.profile.passkeyRemoved),
    onError: (error) => notifyFailed(texts.profile.failed, error),
  });
  const add = () =>
    withProof(async (body) => {
      const { data } = await call('beginPasskey', { body });
      const response = await startRegistration({ optionsJSON: data.options as unknown as CreationOptions });
      const made = await call('createPasskey', { body: { name, response: { ...response } } });
      notifyDone(texts.profile.passkeyAdded);
      setCodes(made.data.recoveryCodes);
      await invalidate(queries, ['listPasskeys', 'getTwoFactor']);
    });
  return (
    <Section title={texts.profile.passkeys}>
      <p className={styles.dimmed}>{texts.profile.passkeysText}</p>
      {passkeys.isError && <ErrorState error={passkeys.error} retry={() => void passkeys.refetch()} />}
      <ul className={styles.rows}>
        {passkeys.data?.map((passkey) => (
          <li key={passkey.id} className={styles.row}>
            <span className={styles.main}>
              <bdi>{passkey.name}</bdi>{' '}
              <span className={styles.dimmed}>
                {passkey.lastUsedAt === null ? (
                  texts.profile.never
                ) : (
                  <>
                    {texts.profile.lastSeen} <RelativeTime at={passkey.lastUsedAt} />
                  </>
                )}
              </span>
            </span>
            <ConfirmButton
              question={{
                title: texts.profile.removePasskeyAsk(passkey.name),
                action: texts.profile.removePasskey,
                run: () => remove.mutate({ path: { id: passkey.id } }),
              }}
            />
          </li>
        ))}
      </ul>
      {'PublicKeyCredential' in globalThis && (
        <Group align="end">
          <TextInput
            label={texts.profile.passkeyName}
            value={name}
            maxLength={200}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <Button size="sm" variant="default" disabled={name.trim() === ''} onClick={() => void add()}>
            {texts.profile.addPasskey}
          </Button>
        </Group>
      )}
      {proofDialog}
      {codes !== null && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </Section>
  );
}
