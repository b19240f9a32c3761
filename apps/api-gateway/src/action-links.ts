/**
 * Acknowledge and resolve from a message, at /act/<link>: whoever holds the link may do the one thing that it says, in the
 * name of the member whom it was sent to. A GET only shows a page with a button, since mail programs follow links by
 * themselves; the button's POST does it. The link is the permission, so no scope is asked for; the pipeline refuses a
 * member who is not active any more. Links are in no log: requests are known there by their operation.
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
import { Tokens } from '@ams/service';
import { Inject, Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { restartPauseMs } from './admission.js';
import { Asking } from './asking.js';
import type { Exchange } from './exchange.js';
import { readReply, type Reply } from './reply.js';
import { ApiGatewaySettings } from './settings.js';

export const actionPrefix = '/act';

interface Page {
  status: number;
  title: string;
  lines: string[];
  /** What the button says; null for a page without one. */
  button: string | null;
}

const methods = ['GET', 'HEAD', 'POST', 'OPTIONS'];

const words = {
  acknowledge: { verb: 'Acknowledge', done: 'acknowledged', means: 'You take it on, and nobody else is told.' },
  resolve: { verb: 'Resolve', done: 'resolved', means: 'It is over, and nobody else is told.' },
} as const;

const forged: Page = {
  status: 404,
  title: 'This link does not work',
  lines: ['It is not whole, or it is not one of ours. Copy all of it from the message.'],
  button: null,
};
const expired: Page = {
  status: 410,
  title: 'This link is too old',
  lines: ['Nothing was changed. A newer message has a newer link.'],
  button: null,
};

@Injectable()
export class ActionLinks {
  constructor(
    @Inject(Asking) private readonly asking: Asking,
    @Inject(Tokens.settings) private readonly settings: ApiGatewaySettings,
  ) {}

  /** Whether there are such links in this installation. */
  get on(): boolean {
    return this.settings.linkSecret !== undefined;
  }

  /** `path` begins with `/act/`. */
  async serve(exchange: Exchange, path: string): Promise<void> {
    exchange.operation = 'actionLink';
    const { method = '' } = exchange.request;
    if (method === 'OPTIONS') return exchange.answer(204, ['allow', methods.join(', ')], null);
    if (!methods.includes(method)) throw new Fault('METHOD_NOT_ALLOWED', { allowed: methods });
    const link = readActionLink(this.settings.linkSecret as string, path.slice(actionPrefix.length + 1), Date.now());
    const page =
      link === null
        ? forged
        : link === 'expired'
          ? expired
          : method === 'POST'
            ? await this.act(exchange, link)
            : question(link);
    if (page.status >= 500) exchange.answer(page.status, ['retry-after', '1', ...headers], htmlOf(page));
    else exchange.answer(page.status, headers, htmlOf(page));
  }

  private async act(exchange: Exchange, link: LinkAction): Promise<Page> {
    const { operation, body } = askedBy(link);
    const call: Call = {
      requestId: exchange.requestId,
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
      ip: exchange.ip,
      userAgent: exchange.userAgent,
    };
    return answered(link, await this.ask(operation, call));
  }

  /** Once more when nobody has got it; doing it twice is doing it once anyway. */
  private async ask(operation: Operation, call: Call): Promise<Reply> {
    const subject = subjectOf(operation);
    const question = JSON.stringify(call);
    let asked = await this.asking.ask(subject, question, this.settings.callTimeoutMs);
    if (asked.kind === 'nobody') {
      await sleep(restartPauseMs);
      asked = await this.asking.ask(subject, question, this.settings.callTimeoutMs);
    }
    return asked.kind === 'answer'
      ? readReply(asked.data, call.requestId)
      : { ok: false, fault: new Fault('UNAVAILABLE', { requestId: call.requestId }) };
  }
}

const isIncident = ({ id }: LinkAction): boolean => uuidOf('incident', id) !== null;

function askedBy(link: LinkAction): { operation: Operation; body: unknown } {
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

function answered(link: LinkAction, reply: Reply): Page {
  if (!reply.ok) return refused(link, reply.fault);
  const { data } = JSON.parse(Buffer.from(reply.body).toString()) as { data: Alert | Incident };
  const { done } = words[link.action];
  const [by, at] =
    link.action === 'acknowledge' ? [data.acknowledgedBy, data.acknowledgedAt] : [data.resolvedBy, data.resolvedAt];
  const isOwn = by?.id === publicId('member', link.memberId);
  return {
    status: 200,
    title: isOwn ? `You have ${done} it` : `It is ${done} already`,
    lines: [data.title, whoAndWhen(by, at)],
    button: null,
  };
}

const whoAndWhen = (by: Actor | null, at: string | null): string =>
  `By ${by?.name ?? 'somebody'}${at === null ? '' : `, ${at.slice(0, 16).replace('T', ' ')} UTC`}.`;

function refused(link: LinkAction, fault: Fault): Page {
  switch (fault.code) {
    case 'UNAUTHORIZED':
      return {
        status: 403,
        title: 'This is not yours to do any more',
        lines: [`${link.memberName} is not an active member. Nothing was changed.`],
        button: null,
      };
    case 'NOT_FOUND':
      return {
        status: 404,
        title: `The ${nounOf(link)} is not there`,
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
        lines: [link.title, 'Perhaps in a moment it does.'],
        button: 'Try again',
      };
  }
}

const style = `
:root { color-scheme: light dark; --line: #8885; --button: #1c5fb8; font: 17px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { box-sizing: border-box; width: 100%; max-width: 30rem; padding: 1.5rem; }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .75rem; }
p { margin: 0 0 .75rem; overflow-wrap: anywhere; }
button { width: 100%; padding: .9rem; margin-top: .5rem; border: 0; border-radius: .6rem; background: var(--button); color: #fff; font: inherit; font-weight: 600; cursor: pointer; }
button:focus-visible { outline: 3px solid var(--line); outline-offset: 2px; }
`;

const headers = [
  'content-type',
  'text/html; charset=utf-8',
  'cache-control',
  'no-store',
  'referrer-policy',
  'no-referrer',
  'x-robots-tag',
  'noindex',
  'content-security-policy',
  `default-src 'none'; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
];

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] as string);

/** The form goes to the address of the page itself. */
const htmlOf = ({ title, lines, button }: Page): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title><style>${style}</style></head><body><main>
<h1>${escaped(title)}</h1>
${lines.map((line) => `<p>${escaped(line)}</p>`).join('\n')}
${button === null ? '' : `<form method="post"><button>${escaped(button)}</button></form>\n`}</main></body></html>
`;
