/**
 * Where secrets are in the steps of workflows, in the levels of escalation policies and in the destinations of
 * notifications. Secret are signing secrets, values of headers, addresses of chats, because everybody who knows such an
 * address can post there, and addresses of webhooks with more than a word after the host.
 */
import type { PolicyLevel } from '../paging/policy.js';
import { urlChannels } from './channels.js';
import { addressName, isSealed } from './sealed-form.js';
import type { NotifyTarget, WorkflowStep } from './workflow-schema.js';

/** The first part of a path, when it is a word and no token: `services`, `v2`. */
const plainPart = /^(?:[a-z]+(?:[-_][a-z]+){0,3}|v\d{1,2})$/i;
const maxPlainPart = 32;

/**
 * What may be shown of the address of a webhook: its host and the first part of its path, if that is a word. Null: the
 * whole address, because it has nothing else.
 */
export function shownWebhookBase(url: string): string | null {
  const { origin, username, password, pathname, search, hash } = new URL(url);
  const [first = '', ...more] = pathname.split('/').slice(1);
  const isPlain = plainPart.test(first) && first.length <= maxPlainPart;
  if ([username, password, search, hash, ...more].every((part) => part === '') && (first === '' || isPlain))
    return null;
  return isPlain ? `${origin}/${first}` : origin;
}

/** What may be shown of an address; null: the whole of it. */
const baseOf = (channel: string, url: string): string | null =>
  channel === 'webhook' ? shownWebhookBase(url) : new URL(url).origin;

/** A place that can hold a secret. */
export type SecretPlace =
  | { kind: 'address'; value: string; base: string }
  /** `field`: `secret`, or `header <name>`. `address`: the name of the address to which it is sent (`addressName`). */
  | { kind: 'text'; value: string; field: string; address: string };

export type ReplaceSecret = (place: SecretPlace) => string;

interface Addressed {
  url: string;
  secret?: string | null;
  headers?: Record<string, string>;
}

/** A secret and the values of headers belong to their address: the name of the sealed one, before and after. */
function replacedIn<A extends Addressed>(channel: string, it: A, replace: ReplaceSecret): A {
  const base = baseOf(channel, it.url);
  const url = base === null ? it.url : replace({ kind: 'address', value: it.url, base });
  const address = addressName(isSealed(it.url) ? it.url : url);
  const text = (value: string, field: string): string => replace({ kind: 'text', value, field, address });
  return {
    ...it,
    url,
    ...(typeof it.secret === 'string' ? { secret: text(it.secret, 'secret') } : {}),
    ...(it.headers
      ? {
          headers: Object.fromEntries(
            Object.entries(it.headers).map(([name, value]) => [name, text(value, `header ${name.toLowerCase()}`)]),
          ),
        }
      : {}),
  };
}

const inTarget = <Target extends NotifyTarget | PolicyLevel['targets'][number]>(
  target: Target,
  replace: ReplaceSecret,
): Target => (target.type === 'channel' ? { ...target, ...replacedIn(target.kind, target, replace) } : target);

/** The step with what `replace` gives for each of its secrets. */
export function replacedInStep(step: WorkflowStep, replace: ReplaceSecret): WorkflowStep {
  if (step.type === 'webhook') return { ...step, params: replacedIn('webhook', step.params, replace) };
  if (step.type !== 'notify') return step;
  return {
    ...step,
    params: { ...step.params, targets: step.params.targets.map((target) => inTarget(target, replace)) },
  };
}

/** The same for a level of an escalation policy. */
export const replacedInLevel = (level: PolicyLevel, replace: ReplaceSecret): PolicyLevel => ({
  ...level,
  targets: level.targets.map((target) => inTarget(target, replace)),
});

const hasAddress = (destination: { channel: string }): destination is { channel: string; url: string } =>
  (urlChannels as readonly string[]).includes(destination.channel);

/** The same for the destination of a notification. */
export const replacedInDestination = <D extends { channel: string }>(destination: D, replace: ReplaceSecret): D =>
  hasAddress(destination) ? replacedIn(destination.channel, destination, replace) : destination;

/** Whether a secret is there that is not sealed, or one that is. */
export function secretsFound(replaceIn: (replace: ReplaceSecret) => unknown): { plain: number; sealed: number } {
  const found = { plain: 0, sealed: 0 };
  replaceIn(({ value }) => {
    found[isSealed(value) ? 'sealed' : 'plain']++;
    return value;
  });
  return found;
}
