/**
 * Amazon SNS asks a new subscriber for a confirmation: the first message of a subscription holds a URL to fetch. It is
 * fetched only if the message is signed by Amazon and both URLs lead to Amazon's SNS hosts; otherwise anybody with a
 * token could make this service fetch any URL.
 *
 * https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
import { Injectable } from '@nestjs/common';
import { createVerify, X509Certificate } from 'node:crypto';

export type Confirmation =
  | { kind: 'confirmed' }
  /** A permanent failure. */
  | { kind: 'refused'; why: string }
  /** Another attempt may succeed. */
  | { kind: 'failed'; why: string };

export type Fetch = (url: string, init: { redirect: 'manual'; signal: AbortSignal }) => Promise<Response>;

@Injectable()
export class SnsFetch {
  readonly fetch: Fetch = (url, init) => fetch(url, init);
}

const host = /^sns\.[a-z0-9-]+\.amazonaws\.com(\.cn)?$/;
const timeoutMs = 10_000;
const maxAnswerBytes = 64 * 1024;

/** The URL, if it is an https URL of a host of SNS. */
export function snsUrl(text: unknown): URL | null {
  if (typeof text !== 'string' || !URL.canParse(text)) return null;
  const url = new URL(text);
  return url.protocol === 'https:' &&
    host.test(url.hostname) &&
    url.port === '' &&
    url.username === '' &&
    url.password === ''
    ? url
    : null;
}

const signedFields = {
  Notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  SubscriptionConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
  UnsubscribeConfirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const;

type SnsMessage = Record<string, unknown>;

/** The signed text: the name and the value of each field on separate lines, in this order, without absent fields. */
export function signedText(message: SnsMessage): string | null {
  const type = message['Type'];
  if (typeof type !== 'string' || !Object.hasOwn(signedFields, type)) return null;
  let text = '';
  for (const field of signedFields[type as keyof typeof signedFields]) {
    const value = Object.hasOwn(message, field) ? message[field] : undefined;
    if (value === undefined || value === null) continue;
    if (typeof value !== 'string') return null;
    text += `${field}\n${value}\n`;
  }
  return text;
}

const algorithms: Record<string, string> = { '1': 'RSA-SHA1', '2': 'RSA-SHA256' };

export function isSignedBy(message: SnsMessage, certificate: X509Certificate): boolean {
  const algorithm = algorithms[String(message['SignatureVersion'])];
  const signature = message['Signature'];
  const text = signedText(message);
  if (
    algorithm === undefined ||
    typeof signature !== 'string' ||
    text === null ||
    certificate.publicKey.asymmetricKeyType !== 'rsa'
  )
    return false;
  return createVerify(algorithm).update(text, 'utf8').verify(certificate.publicKey, signature, 'base64');
}

/** Confirms the subscription that `payload` (the body as posted) asks for. */
export async function confirmSubscription(payload: string, fetch: Fetch): Promise<Confirmation> {
  const message = parse(payload);
  if (message === null) return { kind: 'refused', why: 'the message is not a JSON object' };
  if (message['Type'] !== 'SubscriptionConfirmation')
    return {
      kind: 'refused',
      why: `a message of type ${JSON.stringify(message['Type'] ?? null)} needs no confirmation`,
    };
  const certificateUrl = snsUrl(message['SigningCertURL']);
  if (certificateUrl === null || !certificateUrl.pathname.endsWith('.pem'))
    return { kind: 'refused', why: 'the URL of the certificate is not one of Amazon SNS' };
  const url = snsUrl(message['SubscribeURL']);
  if (url === null || url.searchParams.get('Action') !== 'ConfirmSubscription')
    return { kind: 'refused', why: 'the URL to confirm at is not one of Amazon SNS' };
  if (!Object.hasOwn(algorithms, String(message['SignatureVersion'])))
    return { kind: 'refused', why: 'the version of the signature is not known' };

  const pem = await get(certificateUrl, fetch);
  if (pem.kind === 'failed') return { kind: 'failed', why: `the certificate could not be fetched: ${pem.why}` };
  const certificate = readCertificate(pem.text);
  if (certificate === null) return { kind: 'refused', why: 'the certificate cannot be read' };
  if (!isSignedBy(message, certificate)) return { kind: 'refused', why: 'the signature does not verify' };

  const confirmation = await get(url, fetch);
  return confirmation.kind === 'failed'
    ? { kind: 'failed', why: `the confirmation was not accepted: ${confirmation.why}` }
    : { kind: 'confirmed' };
}

function parse(payload: string): SnsMessage | null {
  try {
    const value = JSON.parse(payload) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as SnsMessage) : null;
  } catch {
    return null;
  }
}

function readCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

async function get(url: URL, fetch: Fetch): Promise<{ kind: 'ok'; text: string } | { kind: 'failed'; why: string }> {
  try {
    const response = await fetch(url.href, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) });
    const text = await readText(response);
    return response.status === 200 ? { kind: 'ok', text } : { kind: 'failed', why: `status ${response.status}` };
  } catch (error) {
    return { kind: 'failed', why: (error as Error).name === 'TimeoutError' ? 'no answer in time' : 'no connection' };
  }
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new Error('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
