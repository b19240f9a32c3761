/** Where the services find their master keys: in a file, or in a key management service. */
import { IsNotEmpty, IsOptional, IsString, ValidateIf } from 'class-validator';
import { Setting, SettingsError, together } from '../settings.js';
import { masterKeysOfFile, type MasterKeys } from './master-keys.js';
import { masterKeysOfVault } from './vault-master-keys.js';

/** What a class of settings has by the three decorators below. */
export interface MasterKeySettings {
  masterKeyFile?: string | undefined;
  masterKeyVaultUrl?: string | undefined;
  masterKeyVaultTokenFile?: string | undefined;
}

export const MasterKeyFile = (): PropertyDecorator =>
  together(
    Setting(
      'MASTER_KEY_FILE',
      'The file with the master keys of the secrets of organizations, such as addresses of chats and signing secrets: ' +
        'each in a line, 32 bytes in base64 as `openssl rand -base64 32` prints them. The first one seals, all of them ' +
        'open. resource-api and notifier need the same keys, and no other service.',
    ),
    ValidateIf(({ masterKeyFile, masterKeyVaultUrl }: MasterKeySettings) => !masterKeyVaultUrl || !!masterKeyFile),
    IsString(),
    IsNotEmpty(),
  );

export const MasterKeyVaultUrl = (): PropertyDecorator =>
  together(
    Setting(
      'MASTER_KEY_VAULT_URL',
      'The master key in the transit engine of HashiCorp Vault or OpenBao, in place of a file: ' +
        'https://vault.example.com:8200/v1/transit/keys/alerts. With a file as well, the engine seals and both open.',
    ),
    IsOptional(),
    IsString(),
  );

export const MasterKeyVaultTokenFile = (): PropertyDecorator =>
  together(
    Setting(
      'MASTER_KEY_VAULT_TOKEN_FILE',
      'The file with the token for this engine. It is read for each request, so an agent may write a new token.',
    ),
    ValidateIf(({ masterKeyVaultUrl }: MasterKeySettings) => !!masterKeyVaultUrl),
    IsString(),
    IsNotEmpty(),
  );

/** Throws SettingsError. */
export function masterKeysOf(settings: MasterKeySettings): MasterKeys {
  const { masterKeyFile: file, masterKeyVaultUrl: url, masterKeyVaultTokenFile: tokenFile } = settings;
  const ofFile = file ? masterKeysOfFile(file) : null;
  const ofVault = url ? masterKeysOfVault(url, tokenFile ?? '') : null;
  if (ofVault && ofFile)
    return {
      ...ofVault,
      open: async (sealed, record) => (await ofVault.open(sealed, record)) ?? ofFile.open(sealed, record),
    };
  const keys = ofVault ?? ofFile;
  if (keys === null) throw new SettingsError('MASTER_KEY_FILE or MASTER_KEY_VAULT_URL must be set');
  return keys;
}
