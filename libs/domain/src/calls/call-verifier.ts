/**
 * Decides at an owner whether a call is executed: the API gateway must have signed it, for this owner, and it must be
 * neither late nor a repetition.
 *
 * Clocks of two machines may differ by minutes, so times of a call are those of the gateway's monotonic clock, from the
 * making of its certificate. Each call that arrives shows how far this clock is at least, and a later call whose caller
 * has stopped waiting by then is refused. The clocks of both machines are compared for the rest only, with a tolerance:
 * for the first call of a certificate that this replica receives.
 */
import { timingSafeEqual, type KeyObject } from 'node:crypto';
import { publicJwkOf, type VerificationKeys } from '../audit/ed25519-keys.js';
import { callKey, callMac, readCertificate, type CallCertificate, type CertificateFault } from './call-keys.js';

/**
 * `unsigned`: no signature. `malformed`: a signature of another form. `unknownKey`, `wrongCertificate`: its certificate is
 * not signed by a key of the gateway. `wrongMac`: something was changed, or it is for another owner. `otherReply`: the
 * answer would go elsewhere. `late`: nobody waits any more, or the clocks differ too much. `early`: the clock of the
 * gateway is ahead too much. `repeated`: it was executed before.
 */
export type CallRefusal = (typeof callRefusals)[number];
export const callRefusals = [
  'unsigned',
  'malformed',
  'unknownKey',
  'wrongCertificate',
  'wrongMac',
  'otherReply',
  'late',
  'early',
  'repeated',
] as const;

export interface VerifierOptions {
  /** The name of the service. */
  owner: string;
  /** Ed25519 keys of the API gateway. */
  signers: VerificationKeys;
  /** X25519 keys of the owner. All are valid. */
  privateKeys: readonly KeyObject[];
  /** By how much the clocks of the machines may differ. */
  toleranceMs: number;
}

export interface ReceivedCall {
  subject: string;
  /** The subject of the reply, as NATS shows it to the owner. */
  reply: string;
  /** What `CallSession.sign` has returned. */
  signature: string;
  payload: Uint8Array;
}

export interface Now {
  /** Milliseconds since 1970. */
  wallMs: number;
  /** Milliseconds by a clock that is never set. */
  monotonicMs: number;
}

/** What is known of a certificate. */
interface Known {
  certificate: CallCertificate;
  keys: KeyObject[];
  /** The gateway's time of the certificate is at least this far ahead of our monotonic clock. */
  aheadMs: number;
  /** The last sequence number in each place `sequence % window`. */
  seen: Float64Array;
}

/** Calls of a gateway arrive in their order, because they come over one connection. So few places are enough. */
const window = 1024;
/** A replica of the gateway has a new one every five minutes. The oldest one is forgotten. */
const maxCertificates = 512;

const signatureForm = /^(\S+) (\d{1,15}) (\d{1,15}) (\d{1,15}) (\S+) ([\w-]{43})$/;

/**
 * NATS replaces the reply subject of a request from another account, or from another cluster, by one of its own. It
 * leads back to the account that has asked, and whoever reads there reads all replies.
 */
const replacedByNats = /^_G?R_\./;

export class CallVerifier {
  private readonly known = new Map<string, Known>();
  private readonly own: { id: string; key: KeyObject }[];

  constructor(private readonly options: VerifierOptions) {
    this.own = options.privateKeys.map((key) => ({ id: publicJwkOf(key).kid, key }));
  }

  /** Why the call is refused; or for how long its caller waits. */
  check({ subject, reply, signature, payload }: ReceivedCall, now: Now): CallRefusal | { timeoutMs: number } {
    const parts = signatureForm.exec(signature);
    if (!parts) return 'malformed';
    const [, certificateText = '', sequenceText, sentText, timeoutText, signedReply = '', mac = ''] = parts;
    const found = this.find(certificateText);
    if (typeof found === 'string') return found;
    const [sequence, sentMs, timeoutMs] = [Number(sequenceText), Number(sentText), Number(timeoutText)];
    const facts = { subject, reply: signedReply, sequence, sentMs, timeoutMs };
    if (!found.keys.some((key) => isEqual(mac, callMac(key, facts, payload)))) return 'wrongMac';
    if (reply !== signedReply && !replacedByNats.test(reply)) return 'otherReply';
    const untilMs = sentMs + timeoutMs;
    const { issuedAt, lifetimeMs } = found.certificate;
    if (untilMs > lifetimeMs || issuedAt + untilMs + this.options.toleranceMs < now.wallMs) return 'late';
    if (issuedAt + sentMs - this.options.toleranceMs > now.wallMs) return 'early';
    if (now.monotonicMs + found.aheadMs > untilMs) return 'late';
    const place = sequence % window;
    if ((found.seen[place] as number) >= sequence) return 'repeated';
    found.seen[place] = sequence;
    found.aheadMs = Math.max(found.aheadMs, sentMs - now.monotonicMs);
    if (!this.known.has(certificateText)) this.keep(certificateText, found);
    return { timeoutMs };
  }

  /** Only of a call that is accepted: nobody can make it forget certificates with others that have ended. */
  private keep(text: string, known: Known): void {
    if (this.known.size >= maxCertificates) this.known.delete(this.known.keys().next().value as string);
    this.known.set(text, known);
  }

  private find(text: string): Known | CertificateFault {
    const known = this.known.get(text);
    if (known) return known;
    const certificate = readCertificate(text, this.options.signers);
    if (typeof certificate === 'string') return certificate;
    const { publicKey } = certificate;
    const keys = this.own.map(({ id, key }) => callKey(text, this.options.owner, id, { privateKey: key, publicKey }));
    return { certificate, keys, aheadMs: Number.NEGATIVE_INFINITY, seen: new Float64Array(window) };
  }
}

const isEqual = (a: string, b: string): boolean =>
  a.length === b.length && timingSafeEqual(Buffer.from(a, 'latin1'), Buffer.from(b, 'latin1'));
