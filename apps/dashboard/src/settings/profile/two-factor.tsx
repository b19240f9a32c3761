import { Button, Group, Modal, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import postTotpCode from 'schema:PostTotpCode';
import { encode } from 'uqr';
import { call } from '../../api/call.js';
import type { Data } from '../../api/operation-types.js';
import { invalidate, read } from '../../api/queries.js';
import { texts } from '../../texts/texts.js';
import { CopyButton } from '../../ui/copy-button.js';
import { ErrorState, errorText } from '../../ui/error-state.js';
import { notifyDone } from '../../ui/notify.js';
import { RelativeTime } from '../../ui/relative-time.js';
import { RowsSkeleton } from '../../ui/skeletons.js';
import { useForm } from '../../ui/use-form.js';
import { RecoveryCodes } from './recovery-codes.js';
import { Section } from './section.js';
import { useProof } from './use-proof.js';
import styles from './profile.module.css';

/** The authenticator app, and the recovery codes. */
export function TwoFactor() {
  const queries = useQueryClient();
  const state = useQuery(read('getTwoFactor'));
  const [enrolment, setEnrolment] = useState<Data<'beginTotp'> | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const [withProof, proofDialog] = useProof();
  const changed = () => invalidate(queries, ['getTwoFactor', 'getSession']);
  const begin = () =>
    withProof(async (body) => {
      const { data } = await call('beginTotp', { body });
      setEnrolment(data);
    });
  const remove = () =>
    withProof(async (body) => {
      await call('disableTotp', { body });
      notifyDone(texts.profile.appRemoved);
      await changed();
    });
  const renew = () =>
    withProof(async (body) => {
      const { data } = await call('renewRecoveryCodes', { body });
      setCodes(data.recoveryCodes);
      await changed();
    });
  return (
    <Section title={texts.profile.twoFactor}>
      <p className={styles.dimmed}>{texts.profile.twoFactorText}</p>
      {state.isPending && <RowsSkeleton rows={2} />}
      {state.isError && <ErrorState error={state.error} retry={() => void state.refetch()} />}
      {state.isSuccess && (
        <ul className={styles.rows}>
          <li className={styles.row}>
            <span className={styles.main}>
              {texts.profile.app}{' '}
              <span className={styles.dimmed}>
                {state.data.totpSince === null ? (
                  texts.profile.noApp
                ) : (
                  <>
                    {texts.profile.appSince} <RelativeTime at={state.data.totpSince} />
                  </>
                )}
              </span>
            </span>
            <Button variant="default" onClick={() => void begin()}>
              {state.data.totpSince === null ? texts.profile.setUpApp : texts.profile.replaceApp}
            </Button>
            {state.data.totpSince !== null && (
              <Button variant="default" onClick={() => void remove()}>
                {texts.profile.removeApp}
              </Button>
            )}
          </li>
          {(state.data.totpSince !== null || state.data.passkeys > 0) && (
            <li className={styles.row}>
              <span className={styles.main}>
                {texts.profile.recoveryCodes}{' '}
                <span className={styles.dimmed}>{texts.profile.recoveryCodesLeft(state.data.recoveryCodesLeft)}</span>
              </span>
              <Button variant="default" onClick={() => void renew()}>
                {texts.profile.newCodes}
              </Button>
            </li>
          )}
        </ul>
      )}
      {proofDialog}
      {enrolment !== null && (
        <Enrolment
          enrolment={enrolment}
          close={() => setEnrolment(null)}
          onConfirmed={(recoveryCodes) => {
            setEnrolment(null);
            setCodes(recoveryCodes);
            void changed();
          }}
        />
      )}
      {codes !== null && <RecoveryCodes codes={codes} close={() => setCodes(null)} />}
    </Section>
  );
}

interface EnrolmentProps {
  enrolment: Data<'beginTotp'>;
  close: () => void;
  onConfirmed: (recoveryCodes: string[]) => void;
}

function Enrolment({ enrolment, close, onConfirmed }: EnrolmentProps) {
  const form = useForm({
    schema: postTotpCode,
    initial: { code: '' },
    toBody: ({ code }) => ({ code: code.trim() }),
    send: async ({ code }) => {
      const { data } = await call('confirmTotp', { body: { code: code.trim() } });
      onConfirmed(data.recoveryCodes);
    },
  });
  return (
    <Modal opened onClose={close} title={texts.profile.app}>
      <p className={styles.dimmed}>{texts.profile.scan}</p>
      <QrCode text={enrolment.uri} />
      <p className={styles.dimmed}>
        {texts.profile.secret}: <code>{enrolment.secret}</code> <CopyButton value={enrolment.secret} />
      </p>
      <form onSubmit={form.submit} noValidate>
        <TextInput
          {...form.field('code')}
          label={texts.profile.code}
          autoComplete="one-time-code"
          inputMode="numeric"
          data-autofocus
        />
        {form.error !== null && (
          <p className={styles.fault} role="alert">
            {form.error.status === 401 || form.error.status === 409 ? texts.profile.wrongCode : errorText(form.error)}
          </p>
        )}
        <Group justify="flex-end" mt="md">
          <Button type="submit" loading={form.isSending}>
            {texts.profile.confirm}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}

/** The code is drawn here: the secret goes to nobody. */
function QrCode({ text }: { text: string }) {
  const { size, data } = encode(text, { ecc: 'M', border: 2 });
  const path = data
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .filter((part) => part !== '')
    .join('');
  return (
    <svg className={styles.qr} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" role="img" aria-label="QR">
      <path d={path} fill="#000" />
    </svg>
  );
}
