/**
 * Links that let a member acknowledge or resolve from a message, without signing in: `<payload>.<signature>`, both
 * base64url; the payload is JSON, the signature its HMAC-SHA-256. The workflow engine makes them, the API gateway reads
 * them. A GET shows a page and changes nothing, for mail programs follow links by themselves.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@ams/scopes';

export interface LinkAction {
  action: 'acknowledge' | 'resolve';
  /** The public id of the alert or incident. */
  id: string;
  /** What it is called, for the page: its beginning. */
  title: string;
  /** In whose name it is done. */
  memberName: string;
  /** UUIDs. */
  memberId: string;
  organizationId: string;
  environment: Environment;
  /** Milliseconds since 1970. */
  expiresAt: number;
}

const signature = (secret: string, payload: string): Buffer =>
  createHmac('sha256', `link ${secret}`).update(payload).digest();

export function actionLink(secret: string, action: LinkAction): string {
  const payload = Buffer.from(JSON.stringify(action)).toString('base64url');
  return `${payload}.${signature(secret, payload).toString('base64url')}`;
}

/** What a link asks for; `null` when we did not make it, `expired` when its time is over. */
export function readActionLink(secret: string, link: string, now: number): LinkAction | 'expired' | null {
  const [payload = '', sent = '', ...more] = link.split('.');
  const expected = signature(secret, payload);
  const given = Buffer.from(sent, 'base64url');
  if (more.length > 0 || given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const action = JSON.parse(Buffer.from(payload, 'base64url').toString()) as LinkAction;
  return action.expiresAt < now ? 'expired' : action;
}
