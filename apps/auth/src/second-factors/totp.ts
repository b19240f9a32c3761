/**
 * Codes of authenticator apps (RFC 6238, with the values that every app supports: SHA-1, 6 digits, 30 seconds). A code
 * of the step before and of the step after is accepted, for clocks that differ. Each code is accepted once.
 */
import { HOTP, Secret, TOTP } from 'otpauth';

const period = 30;
const digits = 6;
/** How many steps the clock of the app may be away, in both directions. */
const drift = 1;
/** 160 bits, as RFC 4226 recommends. */
export const totpSecretBytes = 20;

export const stepAt = (at: Date): number => TOTP.counter({ period, timestamp: at.getTime() });

/** The code that an app shows in a step. */
export const codeOfStep = (secret: Uint8Array, step: number): string =>
  HOTP.generate({ secret: secretOf(secret), digits, counter: step });

/**
 * The step of the code, or null when it is not valid. A code of `lastStep`, or of an earlier one, has been used, or
 * could have been.
 */
export function acceptedStep(
  secret: Uint8Array,
  code: string,
  { at, lastStep }: { at: Date; lastStep: number | null },
): number | null {
  const token = code.replaceAll(' ', '');
  if (!/^\d{6}$/.test(token)) return null;
  const now = stepAt(at);
  for (let step = Math.max(now - drift, (lastStep ?? -1) + 1); step <= now + drift; step++) {
    if (HOTP.validate({ secret: secretOf(secret), digits, token, counter: step, window: 0 }) !== null) return step;
  }
  return null;
}

/** What an app reads from the QR code, and what a person types instead. */
export function enrolment(
  secret: Uint8Array,
  label: { issuer: string; account: string },
): { secret: string; uri: string } {
  const totp = new TOTP({ secret: secretOf(secret), issuer: label.issuer, label: label.account, digits, period });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

const secretOf = (bytes: Uint8Array): Secret => new Secret({ buffer: Uint8Array.from(bytes).buffer });
