/** Settings with secrets of the operator: one, or several separated by commas, of which the first is the newest. */
import { ValidateBy } from 'class-validator';
import { SealedSecrets } from './sealed-secrets.js';

const minLength = 16;

export const secretKeysIn = (text: string): string[] => text.split(',').map((key) => key.trim());

export const IsSecretKeys = (): PropertyDecorator =>
  ValidateBy({
    name: 'isSecretKeys',
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && secretKeysIn(value).every(({ length }) => length >= minLength),
      defaultMessage: () => `must be secrets of at least ${minLength} characters, separated by commas`,
    },
  });

/** Null: the operator has set no key. */
export const sealedSecretsOf = (setting: string | undefined): SealedSecrets | null =>
  setting === undefined ? null : new SealedSecrets(secretKeysIn(setting));
