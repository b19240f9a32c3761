/** Signs the calls of one replica of the API gateway with one certificate. */
import type { KeyObject } from 'node:crypto';
import { publicJwkOf } from '../audit/ed25519-keys.js';
import { callKey, callMac, certificateText, type CallFacts, type KeyPair, type OwnerKeys } from './call-keys.js';

export interface SessionOptions {
  /** The Ed25519 key of the gateway. */
  signingKey: KeyObject;
  owners: OwnerKeys;
  /** A new X25519 key. */
  pair: KeyPair;
  /** Milliseconds since 1970. */
  issuedAt: number;
  lifetimeMs: number;
}

export class CallSession {
  readonly certificate: string;
  private readonly keys: ReadonlyMap<string, KeyObject>;
  private sequence = 0;

  constructor({ signingKey, owners, pair, issuedAt, lifetimeMs }: SessionOptions) {
    this.certificate = certificateText(signingKey, { publicKey: pair.publicKey, issuedAt, lifetimeMs });
    this.keys = new Map(
      [...owners].map(([owner, publicKey]) => [
        owner,
        callKey(this.certificate, owner, publicJwkOf(publicKey).kid, { privateKey: pair.privateKey, publicKey }),
      ]),
    );
  }

  /**
   * The signature of a call, as it is sent: `certificate sequence sentMs timeoutMs reply MAC`. Null for an owner without
   * a key: a service of a later release, which is not in the file.
   */
  sign(owner: string, call: Omit<CallFacts, 'sequence'>, payload: Uint8Array): string | null {
    const key = this.keys.get(owner);
    if (!key) return null;
    const sequence = ++this.sequence;
    const { reply, sentMs, timeoutMs } = call;
    const mac = callMac(key, { ...call, sequence }, payload);
    return `${this.certificate} ${sequence} ${sentMs} ${timeoutMs} ${reply} ${mac}`;
  }
}
