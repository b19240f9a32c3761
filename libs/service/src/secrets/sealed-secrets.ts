/**
 * Secrets at rest, such as those of authenticator apps: AES-256-GCM with a key of the operator. The name of the record
 * is authenticated too, so a value that is copied to another row cannot be opened there.
 *
 * A value is: the version (1 byte), the id of its key (4), the nonce (12), the tag (16), the text. Of several keys, the
 * first one seals and all of them open. So keys are rotated without a moment in which a value cannot be opened.
 */
import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const version = 1;
const [idAt, nonceAt, tagAt, textAt] = [1, 5, 17, 33];
const nonceBytes = tagAt - nonceAt;

interface SealingKey {
  id: Buffer;
  key: Buffer;
}

export class SealedSecrets {
  private readonly keys: readonly SealingKey[];

  /** `texts`: the secrets of the operator, the newest first. There is at least one. */
  constructor(texts: readonly string[]) {
    this.keys = texts.map(keyOf);
  }

  seal(text: Uint8Array, record: string): Buffer {
    return this.sealWith(randomBytes(nonceBytes), text, record);
  }

  /** The same value for the same text and record: the nonce is a keyed hash of both. */
  sealAgain(text: Uint8Array, record: string): Buffer {
    const { key } = this.keys[0] as SealingKey;
    const nonceKey = Buffer.from(hkdfSync('sha256', key, '', 'nonces', 32));
    const length = Buffer.alloc(8);
    length.writeBigUInt64BE(BigInt(Buffer.byteLength(record)));
    const nonce = createHmac('sha256', nonceKey).update(length).update(record).update(text).digest();
    return this.sealWith(nonce.subarray(0, nonceBytes), text, record);
  }

  private sealWith(nonce: Buffer, text: Uint8Array, record: string): Buffer {
    const { id, key } = this.keys[0] as SealingKey;
    const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(record));
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([Buffer.from([version]), id, nonce, cipher.getAuthTag(), sealed]);
  }

  /** Null: the key of the value is not among those of the operator. Throws when the value was changed. */
  open(sealed: Uint8Array, record: string): Buffer | null {
    const value = Buffer.from(sealed);
    if (value[0] !== version) throw new Error('a sealed secret is of an unknown version');
    const found = this.keys.find(({ id }) => id.equals(value.subarray(idAt, nonceAt)));
    if (!found) return null;
    const decipher = createDecipheriv('aes-256-gcm', found.key, value.subarray(nonceAt, tagAt));
    decipher.setAAD(Buffer.from(record)).setAuthTag(value.subarray(tagAt, textAt));
    return Buffer.concat([decipher.update(value.subarray(textAt)), decipher.final()]);
  }

  /** The beginning of values that the newest key has sealed. All others are to be sealed again. */
  get newestPrefix(): Buffer {
    return Buffer.concat([Buffer.from([version]), (this.keys[0] as SealingKey).id]);
  }
}

function keyOf(text: string): SealingKey {
  const key = Buffer.from(hkdfSync('sha256', text, '', 'secrets at rest', 32));
  return {
    key,
    id: createHash('sha256')
      .update('id')
      .update(key)
      .digest()
      .subarray(0, nonceAt - idAt),
  };
}
