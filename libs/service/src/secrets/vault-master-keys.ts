/**
 * A master key in the transit engine of HashiCorp Vault or OpenBao, which seals and opens; the key never leaves it.
 * Source of the format: https://developer.hashicorp.com/vault/api-docs/secret/transit
 */
import { readFileSync } from 'node:fs';
import { SettingsError } from '../settings.js';
import { MasterKeysUnavailable, type MasterKeys } from './master-keys.js';

const timeoutMs = 3000;
/** What the engine returns for a sealed value; the number is the version of the key. */
const sealedForm = /^vault:v(\d+):/;
const addressForm = /^(https?:\/\/[^?#]+\/v1\/[^?#]+)\/keys\/([^/?#]+)$/;

interface Reply {
  data?: { ciphertext?: string; plaintext?: string; latest_version?: number };
  errors?: string[];
}

/**
 * `url`: the address of the key, `https://vault.example.com:8200/v1/transit/keys/alerts`. `tokenFile`: a file with the
 * token. It is read for each request, because an agent writes a new one before the old one expires. The policy of the
 * token must allow `update` of `encrypt/<key>` and `decrypt/<key>`, and `read` of `keys/<key>` for `secrets rotate`.
 *
 * All methods throw `MasterKeysUnavailable` when the engine does not answer within 3 s, or refuses.
 */
export function masterKeysOfVault(url: string, tokenFile: string): MasterKeys {
  const [, engine, key] = addressForm.exec(url) ?? [];
  if (engine === undefined || key === undefined)
    throw new SettingsError(
      'MASTER_KEY_VAULT_URL must be the address of a key, such as ' +
        'https://vault.example.com:8200/v1/transit/keys/alerts',
    );
  readToken(tokenFile);

  const request = async (action: 'keys' | 'encrypt' | 'decrypt', body?: Record<string, string>): Promise<Reply> => {
    let response: Response;
    let reply: Reply;
    try {
      response = await fetch(`${engine}/${action}/${key}`, {
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'x-vault-token': readToken(tokenFile), 'content-type': 'application/json' },
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
        ...(body && { body: JSON.stringify(body) }),
      });
      reply = (await response.json()) as Reply;
    } catch (error) {
      throw new MasterKeysUnavailable(`the key management service does not answer: ${(error as Error).message}`);
    }
    if (response.ok) return reply;
    const why = String(reply.errors?.[0] ?? '').slice(0, 200);
    if (response.status === 400 && why.includes('message authentication failed'))
      throw new Error('a data key was changed, or belongs to another tenant');
    throw new MasterKeysUnavailable(`the key management service answered ${response.status}: ${why}`);
  };
  const textOf = (sealed: Uint8Array): string => Buffer.from(sealed).toString('latin1');

  return {
    async seal(dataKey, record) {
      const { data } = await request('encrypt', { plaintext: base64(dataKey), associated_data: base64(record) });
      const sealed = data?.ciphertext ?? '';
      if (!sealedForm.test(sealed)) throw new MasterKeysUnavailable('the key management service sealed nothing');
      return Buffer.from(sealed, 'latin1');
    },
    async open(sealed, record) {
      const ciphertext = textOf(sealed);
      if (!sealedForm.test(ciphertext)) return null;
      const { data } = await request('decrypt', { ciphertext, associated_data: base64(record) });
      if (typeof data?.plaintext !== 'string')
        throw new MasterKeysUnavailable('the key management service opened nothing');
      return Buffer.from(data.plaintext, 'base64');
    },
    async newest() {
      const { data } = await request('keys');
      const latest = data?.latest_version;
      if (latest === undefined) throw new MasterKeysUnavailable('the key management service names no newest key');
      return (sealed) => Number(sealedForm.exec(textOf(sealed))?.[1]) === latest;
    },
  };
}

const base64 = (value: Uint8Array | string): string => Buffer.from(value).toString('base64');

/** Throws SettingsError. */
function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new SettingsError(`MASTER_KEY_VAULT_TOKEN_FILE cannot be read: ${(error as Error).message}`);
  }
}
