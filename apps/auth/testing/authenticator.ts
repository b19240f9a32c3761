/** An authenticator in software: makes passkeys (ES256, without attestation) and signs with them, as a browser would. */
import { isoBase64URL, isoCBOR } from '@simplewebauthn/server/helpers';
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, credential: 0x40 };

interface Options {
  challenge?: unknown;
}

export interface Differences {
  origin?: string;
  rpId?: string;
  challenge?: string;
  userVerified?: boolean;
  counter?: number;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const base64url = (data: Uint8Array): string => Buffer.from(data).toString('base64url');

export class Authenticator {
  readonly credentialId = randomBytes(16).toString('base64url');
  private readonly privateKey: KeyObject;
  private readonly publicKey: KeyObject;
  counter = 0;

  constructor(
    private readonly party: { rpId: string; origin: string },
    /** False: the counter stays 0. */
    private readonly counts = true,
  ) {
    ({ privateKey: this.privateKey, publicKey: this.publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' }));
  }

  /** The answer to `navigator.credentials.create()`. */
  register(options: Options, differences: Differences = {}): Record<string, unknown> {
    const clientDataJSON = this.clientData('webauthn.create', options, differences);
    const attestationObject = isoCBOR.encode(
      new Map<string, unknown>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', new Uint8Array(this.authenticatorData({ withCredential: true, ...differences }))],
      ]) as never,
    );
    return this.credential({
      clientDataJSON: base64url(clientDataJSON),
      attestationObject: isoBase64URL.fromBuffer(attestationObject),
      transports: ['internal'],
    });
  }

  /** The answer to `navigator.credentials.get()`. */
  sign(options: Options, differences: Differences = {}): Record<string, unknown> {
    if (this.counts) this.counter += 1;
    const clientDataJSON = this.clientData('webauthn.get', options, differences);
    const authenticatorData = this.authenticatorData({ withCredential: false, ...differences });
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientDataJSON)]), this.privateKey);
    return this.credential({
      clientDataJSON: base64url(clientDataJSON),
      authenticatorData: base64url(authenticatorData),
      signature: base64url(signature),
    });
  }

  private credential(response: object): Record<string, unknown> {
    const id = this.credentialId;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }

  private clientData(type: string, { challenge }: Options, differences: Differences): Buffer {
    const { origin = this.party.origin } = differences;
    const signed = differences.challenge ?? challenge;
    return Buffer.from(JSON.stringify({ type, challenge: signed, origin, crossOrigin: false }));
  }

  private authenticatorData({
    withCredential,
    rpId = this.party.rpId,
    userVerified = true,
    counter = this.counter,
  }: Differences & { withCredential: boolean }): Buffer {
    const flags =
      flag.userPresent |
      (userVerified ? flag.userVerified : 0) |
      flag.backupEligible |
      flag.backedUp |
      (withCredential ? flag.credential : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([
      sha256(rpId),
      Buffer.from([flags]),
      count,
      withCredential ? this.credentialData() : Buffer.alloc(0),
    ]);
  }

  private credentialData(): Buffer {
    const id = Buffer.from(this.credentialId, 'base64url');
    const length = Buffer.alloc(2);
    length.writeUInt16BE(id.length);
    return Buffer.concat([Buffer.alloc(16), length, id, this.coseKey()]);
  }

  /** RFC 9053: an EC2 key (1: 2) for ES256 (3: -7) on P-256 (-1: 1). */
  private coseKey(): Buffer {
    const { x = '', y = '' } = this.publicKey.export({ format: 'jwk' });
    const coordinate = (text: string) => new Uint8Array(Buffer.from(text, 'base64url'));
    const key = new Map<number, unknown>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinate(x)],
      [-3, coordinate(y)],
    ]);
    return Buffer.from(isoCBOR.encode(key as never));
  }
}
