import { Button } from '@mantine/core';
import { ApiError } from '../api/api-error.js';
import { texts } from '../texts/texts.js';
import styles from './states.module.css';

/** What an error means for the reader. */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return texts.ui.failed;
  if (error.code === 'UNREACHABLE') return texts.ui.unreachable;
  if (error.code === 'INSUFFICIENT_SCOPE') return texts.ui.notAllowed;
  if (error.code === 'NOT_FOUND') return texts.ui.notFound;
  if (error.code === 'INTERNAL_ERROR') return texts.ui.internal;
  if (error.code === 'RATE_LIMITED') return texts.ui.limited(error.retryAfterSeconds);
  return error.message;
}

export interface ErrorStateProps {
  error: unknown;
  retry?: () => void;
  /** It is all that the page shows. */
  isPage?: boolean;
}

/** Something could not be loaded: what, and the next step. */
export function ErrorState({ error, retry, isPage = false }: ErrorStateProps) {
  const Title = isPage ? 'h1' : 'p';
  const isRefused = error instanceof ApiError && error.code === 'INSUFFICIENT_SCOPE';
  const isVerdict = isRefused || (error instanceof ApiError && error.code === 'NOT_FOUND');
  return (
    <div className={styles.state} role="alert">
      <Title className={styles.title}>{isVerdict ? errorText(error) : texts.ui.notLoaded}</Title>
      {isRefused && <p className={styles.hint}>{texts.ui.notAllowedNext}</p>}
      {!isVerdict && <p className={styles.hint}>{errorText(error)}</p>}
      {retry && !isVerdict && <Button onClick={retry}>{texts.ui.retry}</Button>}
      {error instanceof ApiError && error.requestId !== null && (
        <code className={styles.request}>{texts.ui.requestId(error.requestId)}</code>
      )}
    </div>
  );
}
