/**
 * Acknowledge and resolve from a message, at /act/<link>. A person who has the link may do the one action that it names
 * as the member to whom it was sent. GET only shows a page with a button, because mail programs open links
 * automatically; the POST of the button does the action. The link is the permission, so no scope is checked; the
 * pipeline refuses a member who is no longer active. The log names the operation, never the link. A service worker asks
 * for JSON, and shows the texts of the page in a notification.
 */
import {
  acknowledgeAlert,
  Fault,
  publicId,
  readActionLink,
  resolveAlert,
  subjectOf,
  updateIncident,
  uuidOf,
  type Actor,
  type Alert,
  type Call,
  type Incident,
  type LinkAction,
  type Operation,
} from '@ams/contracts';
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { createHash } from 'node:crypto';
import { addResource } from '../http/methods.js';
import { addressOf, userAgentOf } from '../http/request-context.js';
import type { OwnerAnswer } from '../rpc/owner-answer.js';
import type { Owners } from '../rpc/owners.js';

interface Page {
  status: number;
  title: string;
  lines: string[];
  /** The label of the button; null for a page without one. */
  button: string | null;
}

const words = {
  acknowledge: { verb: 'Acknowledge', done: 'acknowledged', means: 'You take it over, and nobody else is notified.' },
  resolve: { verb: 'Resolve', done: 'resolved', means: 'It is over, and nobody else is notified.' },
} as const;

const forged: Page = {
  status: 404,
  title: 'This link does not work',
  lines: ['It is incomplete, or it is not from this service. Copy the whole link from the message.'],
  button: null,
};
const expired: Page = {
  status: 410,
  title: 'This link is too old',
  lines: ['Nothing was changed. A newer message has a newer link.'],
  button: null,
};

export interface LinksOptions {
  owners: Owners;
  /** The secrets that sign the links: one, or several while they change. */
  secrets: readonly string[];
}

export const links: FastifyPluginAsync<LinksOptions> = async (app, { owners, secrets }) => {
  app.addHook('onRequest', (request, _reply, done) => {
    request.operation = 'actionLink';
    done();
  });
  addResource(app, '/*', {
    GET: async (request, reply) => {
      const link = linkOf(request, secrets);
      return send(request, reply, 'action' in link ? question(link) : link);
    },
    POST: async (request, reply) => {
      const link = linkOf(request, secrets);
      if (!('action' in link)) return send(request, reply, link);
      const { operation, call } = callOf(link, request);
      const owned = await owners.call({
        target: { subject: subjectOf(operation), owner: operation.owner },
        turnOf: null,
        message: JSON.stringify(call),
        requestId: request.id,
        isOver: () => false,
      });
      return send(request, reply, answered(link, owned));
    },
  });
};

/** The content of the link, or the page for a link that is not valid. */
function linkOf({ params }: FastifyRequest, secrets: readonly string[]): LinkAction | Page {
  const link = readActionLink(secrets, (params as { '*': string })['*'], Date.now());
  return link === null ? forged : link === 'expired' ? expired : link;
}

function send({ headers: { accept } }: FastifyRequest, reply: FastifyReply, page: Page): FastifyReply {
  const { status, title, lines, button } = page;
  if (status >= 500) reply.header('retry-after', '1');
  reply.code(status).headers(headers);
  if (accept?.trim() !== 'application/json') return reply.send(htmlOf(page));
  const text = JSON.stringify({ title, lines, canRetry: button !== null });
  return reply.header('content-type', 'application/json; charset=utf-8').send(text);
}

function callOf(link: LinkAction, request: FastifyRequest): { operation: Operation; call: Call } {
  const { operation, body } = operationOf(link);
  const call: Call = {
    requestId: request.id,
    principal: {
      type: 'user',
      id: link.memberId,
      name: link.memberName,
      organizationId: link.organizationId,
      environment: link.environment,
      scopes: operation.scope === null ? [] : [operation.scope],
    },
    params: { id: link.id },
    query: {},
    body,
    ifMatch: null,
    idempotency: null,
    ip: addressOf(request),
    userAgent: userAgentOf(request),
  };
  return { operation, call };
}

const isIncident = ({ id }: LinkAction): boolean => uuidOf('incident', id) !== null;

function operationOf(link: LinkAction): { operation: Operation; body: unknown } {
  if (isIncident(link))
    return { operation: updateIncident as unknown as Operation, body: { status: words[link.action].done } };
  return {
    operation: (link.action === 'acknowledge' ? acknowledgeAlert : resolveAlert) as unknown as Operation,
    body: {},
  };
}

const nounOf = (link: LinkAction): string => (isIncident(link) ? 'incident' : 'alert');

const question = (link: LinkAction): Page => {
  const { verb, means } = words[link.action];
  return {
    status: 200,
    title: `${verb} this ${nounOf(link)}?`,
    lines: [link.title, `As ${link.memberName}. ${means}`],
    button: verb,
  };
};

function answered(link: LinkAction, reply: OwnerAnswer): Page {
  if (!reply.ok) return refused(link, reply.fault);
  const { data } = JSON.parse(Buffer.from(reply.body).toString()) as { data: Alert | Incident };
  const { done } = words[link.action];
  const [by, at] =
    link.action === 'acknowledge' ? [data.acknowledgedBy, data.acknowledgedAt] : [data.resolvedBy, data.resolvedAt];
  const isOwn = by?.id === publicId('member', link.memberId);
  return {
    status: 200,
    title: isOwn ? `You have ${done} it` : `It is ${done} already`,
    lines: [data.title, actorAndTime(by, at)],
    button: null,
  };
}

const actorAndTime = (by: Actor | null, at: string | null): string =>
  `By ${by?.name ?? 'somebody'}${at === null ? '' : `, ${at.slice(0, 16).replace('T', ' ')} UTC`}.`;

function refused(link: LinkAction, fault: Fault): Page {
  switch (fault.code) {
    case 'UNAUTHORIZED':
      return {
        status: 403,
        title: 'You are not allowed to do this any more',
        lines: [`${link.memberName} is not an active member. Nothing was changed.`],
        button: null,
      };
    case 'NOT_FOUND':
      return {
        status: 404,
        title: `The ${nounOf(link)} does not exist`,
        lines: [link.title, 'Nothing was changed.'],
        button: null,
      };
    case 'INVALID_STATE_TRANSITION':
      return {
        status: 409,
        title: `It is ${(fault as Fault<'INVALID_STATE_TRANSITION'>).details.from} already`,
        lines: [link.title, 'Nothing was changed.'],
        button: null,
      };
    default:
      return {
        status: fault.status,
        title: 'This did not work',
        lines: [link.title, 'It may work in a moment.'],
        button: 'Try again',
      };
  }
}

const style = `
:root { color-scheme: light dark; --line: #8885; --button: #1c5fb8;  }
:root { font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { box-sizing: border-box; width: 100%; max-width: 30rem; padding: 1.5rem; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
button { width: 100%; padding: .9rem; margin-top: .5rem; border: 0; border-radius: .6rem; cursor: pointer; }
button { background: var(--button); color: #fff; font: inherit; font-weight: 600; }
button:focus-visible { outline: 3px solid var(--line); outline-offset: 2px; }
`;

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex',
  vary: 'accept',
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
};

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string);

/** The form posts to the address of the page. */
const htmlOf = ({ title, lines, button }: Page): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>
<h1>${escaped(title)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${button === null ? '' : `<form method="post"><button>${escaped(button)}</button></form>\n`}</main></body></html>
`;
