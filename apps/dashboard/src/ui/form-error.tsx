import type { ApiError } from '../api/api-error.js';
import { errorText } from './error-state.js';
import styles from './form.module.css';

/** Why a form was refused, when that is about no field. */
export const FormError = ({ error }: { error: ApiError | null }) =>
  error === null ? null : (
    <p className={styles.fault} role="alert">
      {errorText(error)}
    </p>
  );
