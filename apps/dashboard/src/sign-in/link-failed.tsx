import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ApiError } from '../api/api-error.js';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { SignInFrame } from './sign-in-frame.js';
import styles from './sign-in.module.css';

/** A link that cannot be used, and why. */
export function LinkFailed({ error, reset }: { error: unknown; reset: () => void }) {
  const code = error instanceof ApiError ? error.code : '';
  const isSpent = error === null || code === 'NOT_FOUND' || code === 'VALIDATION_ERROR';
  return (
    <SignInFrame title={texts.signIn.welcome}>
      <p className={styles.text} role="alert">
        {isSpent ? texts.signIn.linkSpent : code === 'LINK_INCOMPLETE' ? texts.signIn.linkMissing : errorText(error)}
      </p>
      {!isSpent && code !== 'LINK_INCOMPLETE' && (
        <Button size="sm" onClick={reset}>
          {texts.ui.retry}
        </Button>
      )}
      <Button component={Link} to="/sign-in" variant="default" size="sm">
        {texts.signIn.toSignIn}
      </Button>
    </SignInFrame>
  );
}
