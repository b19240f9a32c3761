/**
 * Links in messages with which a member acknowledges or resolves without signing in: `<payload>.<signature>`, both
 * base64url. The payload is JSON, the signature its HMAC-SHA-256. The workflow engine creates them, the API gateway
 * verifies them. A GET only shows a page, because mail programs open links automatically.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Environment } from '@ams/scopes';

export interface LinkAction {
  action: 'acknowledge' | 'resolve';
  /** The public id of the alert or incident. */
  id: string;
  /** The beginning of the title, for the page. */
  title: string;
  /** The member in whose name the action is done. */
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

/** The content of a link; `null` when none of the secrets has signed it, `expired` when the link has expired. */
export function readActionLink(secrets: readonly string[], link: string, now: number): LinkAction | 'expired' | null {
  const [payload = '', sent = '', ...more] = link.split('.');
  const given = Buffer.from(sent, 'base64url');
  const isSigned = secrets.some((secret) => {
    const expected = signature(secret, payload);
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (more.length > 0 || !isSigned) return null;
  const action = JSON.parse(Buffer.from(payload, 'base64url').toString()) as LinkAction;
  return action.expiresAt < now ? 'expired' : action;
}
