import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { texts } from '../texts/texts.js';
import { errorText } from '../ui/error-state.js';
import { SignInFrame } from './sign-in-frame.js';
import styles from './sign-in.module.css';

/** The provider's answer was refused, or there was none. */
export const OpenIdFailed = ({ error }: { error: unknown }) => (
  <SignInFrame title={texts.signIn.openIdFailed}>
    <p className={styles.text} role="alert">
      {errorText(error)}
    </p>
    <Button component={Link} to="/sign-in" size="sm">
      {texts.signIn.toSignIn}
    </Button>
  </SignInFrame>
);
