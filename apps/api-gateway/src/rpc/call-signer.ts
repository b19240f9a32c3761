/**
 * Signs the calls of this replica (docs/adr/0072), with a certificate that is renewed every few minutes. Without keys
 * calls are sent without a signature, as by earlier releases.
 */
import { CallSession, ownerKeys } from '@ams/domain';
import { Logger } from '@ams/messaging';
import { Metrics, readKeysFile, readSigningKeys } from '@ams/service';
import { Injectable } from '@nestjs/common';
import { generateKeyPairSync } from 'node:crypto';
import { ApiGatewaySettings } from '../settings.js';

const minute = 60_000;
const renewMs = 5 * minute;
/** A call must end before its certificate does: CALL_TIMEOUT_MS is two minutes at the most. */
const lifetimeMs = 7 * minute;
/** After a refusal a new certificate is made, for causes that lie in the old one. */
const renewAfterRefusalMs = 1000;
/** When the clock was set by more than this, owners must learn the new time. */
const clockStepMs = 1000;

interface Current {
  session: CallSession;
  /** When it was made, by both clocks. */
  wallMs: number;
  monotonicMs: number;
}

@Injectable()
export class CallSigner {
  private readonly newSession: ((issuedAt: number) => CallSession) | null;
  private current: Current | null = null;
  private readonly refused;
  /** Refused calls since the last log entry about them. */
  private refusals = 0;
  private loggedMs = Number.NEGATIVE_INFINITY;

  constructor(
    { callSigningKeysFile: keysFile, callOwnersFile: ownersFile }: ApiGatewaySettings,
    private readonly log: Logger,
    metrics: Metrics,
  ) {
    this.refused = metrics.counter(
      'ams_gateway_calls_refused_total',
      'Calls of this gateway that an owner has refused, because of their signature, by reason.',
      ['reason'],
    );
    if (keysFile === undefined || ownersFile === undefined) {
      log.warn({}, 'CALL_SIGNING_KEYS_FILE is not set: calls are not signed');
      this.newSession = null;
      return;
    }
    const signingKey = readSigningKeys(keysFile).signs;
    const owners = readKeysFile('CALL_OWNERS_FILE', ownersFile, ownerKeys);
    this.newSession = (issuedAt) =>
      new CallSession({ signingKey, owners, pair: generateKeyPairSync('x25519'), issuedAt, lifetimeMs });
  }

  /** The signature of a call that is sent now; null when calls are not signed, or the owner has no key. */
  sign(owner: string, subject: string, reply: string, timeoutMs: number, payload: Uint8Array): string | null {
    if (this.newSession === null) return null;
    const monotonicMs = performance.now();
    const wallMs = Date.now();
    if (this.current === null || isOld(this.current, wallMs, monotonicMs))
      this.current = { session: this.newSession(wallMs), wallMs, monotonicMs };
    const sentMs = Math.floor(monotonicMs - this.current.monotonicMs);
    return this.current.session.sign(owner, { subject, reply, sentMs, timeoutMs }, payload);
  }

  /** An owner has refused a call, which was not executed. */
  wasRefused(subject: string, reason: string): void {
    this.refused.inc({ reason });
    this.refusals++;
    const now = performance.now();
    if (now - this.loggedMs < renewAfterRefusalMs) return;
    this.log.error({ subject, reason, calls: this.refusals }, 'an owner has refused calls of this gateway');
    this.loggedMs = now;
    this.refusals = 0;
    if (this.current && now - this.current.monotonicMs > renewAfterRefusalMs) this.current = null;
  }
}

const isOld = (current: Current, wallMs: number, monotonicMs: number): boolean => {
  const ageMs = monotonicMs - current.monotonicMs;
  return ageMs > renewMs || Math.abs(wallMs - current.wallMs - ageMs) > clockStepMs;
};
