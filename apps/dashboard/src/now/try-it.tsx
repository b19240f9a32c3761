/**
 * A test alert on its whole way. It is sent as any sender sends, to the URL of an integration of its own, and what the
 * service has made of it is read from the API.
 */
import { Button } from '@mantine/core';
import { CheckIcon, DotFilledIcon } from '@radix-ui/react-icons';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../api/api-error.js';
import { keyOf } from '../api/queries.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { isComplete, nextStep, stepNames, type Progress } from './test-alert.js';
import { readProgress, sendTestAlert, type SentAlert } from './send-test-alert.js';
import styles from './now.module.css';

const readEveryMs = 700;
const giveUpMs = 60_000;

export function TryIt() {
  const [sent, setSent] = useState<SentAlert | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const send = async (): Promise<void> => {
    setIsSending(true);
    setError(null);
    setSent(null);
    try {
      setSent(await sendTestAlert());
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      setError(failure);
    } finally {
      setIsSending(false);
    }
  };
  return (
    <section className={styles.box} aria-labelledby="try-it">
      <h2 id="try-it" className={styles.section}>
        {texts.now.try.title}
      </h2>
      <p className={styles.dimmed}>{texts.now.try.text}</p>
      <Button mt="xs" loading={isSending} onClick={() => void send()}>
        {sent === null ? texts.now.try.send : texts.now.try.again}
      </Button>
      {error !== null && (
        <p role="alert">
          {texts.now.try.failed} {errorText(error)}
        </p>
      )}
      {sent !== null && <Steps key={sent.fingerprint} sent={sent} />}
    </section>
  );
}

/** One line for each step; they fill one after the other. */
function Steps({ sent }: { sent: SentAlert }) {
  const [begun] = useState(() => Date.now());
  const { data: progress = {}, dataUpdatedAt } = useQuery<Progress>({
    queryKey: [...keyOf('listIntegrationRequests', { testAlert: sent.fingerprint })],
    queryFn: ({ client, queryKey, signal }) =>
      readProgress(sent, client.getQueryData<Progress>(queryKey) ?? {}, signal),
    refetchInterval: ({ state }) =>
      isComplete(state.data ?? {}) || Date.now() - begun > giveUpMs ? false : readEveryMs,
    staleTime: 0,
    gcTime: 0,
  });
  const isOver = dataUpdatedAt - begun > giveUpMs;
  return (
    <ol className={styles.steps} aria-live="polite">
      {stepNames.map((name) => {
        const text = progress[name];
        const isNext = nextStep(progress) === name;
        return (
          <li key={name} className={styles.step} data-state={text === undefined ? 'waiting' : 'done'}>
            {text === undefined ? <DotFilledIcon aria-hidden /> : <CheckIcon aria-hidden />}
            <strong>{texts.now.try.steps[name]}</strong>
            <span>{text ?? (isNext ? (isOver ? texts.now.try.none : texts.now.try.waiting) : '')}</span>
          </li>
        );
      })}
    </ol>
  );
}
