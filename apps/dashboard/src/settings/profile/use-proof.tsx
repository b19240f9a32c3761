/**
 * Some changes need a proof that the member is still the one who signed in. `withProof(act)` tries without one, asks when
 * the API demands it, and tries again.
 */
import { Button, Group, Modal, PasswordInput, TextInput } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import postProof from 'schema:PostProof';
import { ApiError } from '../../api/api-error.js';
import type { Body } from '../../api/operation-types.js';
import { useSession } from '../../app/session.js';
import { texts } from '../../texts/texts.js';
import { errorText } from '../../ui/error-state.js';
import { notifyFailed } from '../../ui/notify.js';
import { useForm } from '../../ui/use-form.js';
import styles from './profile.module.css';

export type Proof = Body<'beginTotp'>;
type Act = (proof: Proof) => Promise<void>;

const demandsProof = (error: unknown): boolean =>
  error instanceof ApiError &&
  error.code === 'INSUFFICIENT_SCOPE' &&
  (error.details as { required?: unknown } | null)?.required === 'proof';

export function useProof(): [withProof: (act: Act) => Promise<void>, dialog: ReactNode] {
  const [waiting, setWaiting] = useState<{ act: Act } | null>(null);
  const withProof = async (act: Act): Promise<void> => {
    try {
      await act({});
    } catch (error) {
      if (demandsProof(error)) setWaiting({ act });
      else notifyFailed(texts.profile.failed, error);
    }
  };
  const dialog = waiting !== null && <ProofDialog act={waiting.act} close={() => setWaiting(null)} />;
  return [withProof, dialog];
}

function ProofDialog({ act, close }: { act: Act; close: () => void }) {
  const { account } = useSession();
  const toBody = ({ password, code }: { password: string; code: string }): Proof => ({
    ...(password === '' ? {} : { password }),
    ...(code === '' ? {} : { code: code.trim() }),
  });
  const form = useForm({
    schema: postProof,
    initial: { password: '', code: '' },
    toBody,
    send: async (values) => {
      await act(toBody(values));
      close();
    },
  });
  return (
    <Modal opened onClose={close} title={texts.profile.proof}>
      <form onSubmit={form.submit} noValidate>
        <p className={styles.dimmed}>{texts.profile.proofText}</p>
        {account.hasPassword && (
          <PasswordInput
            {...form.field('password')}
            label={texts.profile.currentPassword}
            autoComplete="current-password"
            data-autofocus
          />
        )}
        <TextInput {...form.field('code')} label={texts.profile.code} autoComplete="one-time-code" mt="sm" />
        {form.error !== null && (
          <p className={styles.fault} role="alert">
            {demandsProof(form.error) || form.error.code === 'UNAUTHORIZED'
              ? texts.profile.proofWrong
              : errorText(form.error)}
          </p>
        )}
        <Group justify="flex-end" mt="md">
          <Button variant="default" onClick={close}>
            {texts.ui.cancel}
          </Button>
          <Button type="submit" loading={form.isSending}>
            {texts.signIn.continue}
          </Button>
        </Group>
      </form>
    </Modal>
  );
}
