/** Verifies what an authenticator has signed. The form of an answer is checked by the library, which throws. */
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { type PasskeyEntity } from './passkey.entity.js';
import { type RelyingParty } from './relying-party.js';

interface Expected {
  challenge: string;
  party: RelyingParty;
}

export interface RegisteredCredential {
  /** Base64url. */
  id: string;
  publicKey: Uint8Array;
  counter: number;
  transports: string[];
  backedUp: boolean;
}

const maxTransports = 10;
const maxIdLength = 1400; // 1023 bytes (WebAuthn, 4) in base64url

/** Null: the answer is not valid. */
export async function registeredCredential(
  response: Record<string, unknown>,
  { challenge, party }: Expected,
): Promise<RegisteredCredential | null> {
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: response as unknown as RegistrationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
    });
    if (!verified) return null;
    const { credential, credentialBackedUp } = registrationInfo;
    if (credential.id.length > maxIdLength) return null;
    const { id, publicKey, counter } = credential;
    return { id, publicKey, counter, transports: transportsIn(response), backedUp: credentialBackedUp };
  } catch {
    return null;
  }
}

/** Words of the browser, which it gets again at a later sign-in. */
function transportsIn(response: Record<string, unknown>): string[] {
  const sent = (response['response'] as { transports?: unknown } | undefined)?.transports;
  const words: unknown[] = Array.isArray(sent) ? sent : [];
  return words
    .filter((word): word is string => typeof word === 'string' && /^[a-z-]{1,20}$/.test(word))
    .slice(0, maxTransports);
}

export interface Signed {
  counter: number;
  backedUp: boolean;
}

/** Null: the answer is not valid. The counter is not compared: see `isRegression`. */
export async function signedBy(
  passkey: Pick<PasskeyEntity, 'credentialId' | 'publicKey'>,
  response: Record<string, unknown>,
  { challenge, party }: Expected,
): Promise<Signed | null> {
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: response as unknown as AuthenticationResponseJSON,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id: passkey.credentialId, publicKey: Uint8Array.from(passkey.publicKey), counter: 0 },
    });
    if (!verified) return null;
    return { counter: authenticationInfo.newCounter, backedUp: authenticationInfo.credentialBackedUp };
  } catch {
    return null;
  }
}
