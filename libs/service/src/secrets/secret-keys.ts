/** The setting with the keys for secrets at rest, which several services have. */
import { ValidateBy } from 'class-validator';
import { SealedSecrets } from './sealed-secrets.js';

const minLength = 16;

const keysIn = (text: string): string[] => text.split(',').map((key) => key.trim());

export const IsSecretKeys = (): PropertyDecorator =>
  ValidateBy({
    name: 'isSecretKeys',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && keysIn(value).every(({ length }) => length >= minLength),
      defaultMessage: () => `must be secrets of at least ${minLength} characters, separated by commas`,
    },
  });

/** Null: the operator has set no key. */
export const sealedSecretsOf = (setting: string | undefined): SealedSecrets | null =>
  setting === undefined ? null : new SealedSecrets(keysIn(setting));
